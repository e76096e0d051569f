// Prints for each map that is named what is wrong with its linked portals.

import { readFileSync } from "node:fs";
import { fromBytes } from "../../../../runtime/js/onion.mjs";
import { linkedPortals } from "../../../../runtime/js/linked.mjs";

for (const path of process.argv.slice(2)) {
  try {
    console.log(linkedPortals(fromBytes(readFileSync(path))).length, "portals");
  } catch (error) {
    console.log(error.message);
  }
}
