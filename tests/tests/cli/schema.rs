//! Checks JSON against a schema: the keywords of JSON Schema 2020-12 that ours uses, and no others, so that a rule
//! that is not checked is an error, not a pass.

use serde_json::Value;

/// Returns the errors in a value, each with its place; empty if it follows the schema.
///
/// # Panics
/// If the schema uses a keyword or a type that is not supported here, or refers to an undefined name.
pub fn faults(schema: &Value, value: &Value) -> Vec<String> {
    let mut checker = Checker {
        whole: schema,
        faults: Vec::new(),
    };
    checker.check(schema, value, "$");
    checker.faults
}

struct Checker<'a> {
    whole: &'a Value,
    faults: Vec<String>,
}

impl Checker<'_> {
    fn check(&mut self, schema: &Value, value: &Value, place: &str) {
        let rules = match schema {
            Value::Bool(true) => return,
            Value::Bool(false) => return self.expect(false, place, "too many"),
            schema => schema.as_object().expect("a schema is an object"),
        };
        for (keyword, rule) in rules {
            match keyword.as_str() {
                "$schema" | "title" | "description" | "$defs" => {}
                // Handled beside `properties` and `prefixItems`.
                "additionalProperties" => self.check_unknown(rules, value, place),
                "items" => self.check_items(rules, value, place),
                "prefixItems" => self.check_first_items(rule, value, place),
                "properties" => self.check_fields(rule, value, place),
                "required" => self.check_required(rule, value, place),
                "$ref" => self.check_reference(rule, value, place),
                "anyOf" | "oneOf" => self.check_choice(keyword, rule, value, place),
                _ => self.expect(
                    holds(keyword, rule, value),
                    place,
                    &format!("{keyword} {rule}"),
                ),
            }
        }
    }

    fn expect(&mut self, holds: bool, place: &str, what: &str) {
        if !holds {
            self.faults.push(format!("{place}: {what}"));
        }
    }

    fn check_reference(&mut self, rule: &Value, value: &Value, place: &str) {
        let path = rule.as_str().unwrap().strip_prefix('#').unwrap();
        let schema = self.whole.pointer(path).expect(path);
        self.check(schema, value, place);
    }

    fn check_fields(&mut self, rule: &Value, value: &Value, place: &str) {
        for (name, schema) in rule.as_object().unwrap() {
            if let Some(field) = value.get(name) {
                self.check(schema, field, &format!("{place}.{name}"));
            }
        }
    }

    fn check_required(&mut self, rule: &Value, value: &Value, place: &str) {
        for name in rule.as_array().unwrap() {
            let name = name.as_str().unwrap();
            let is_there = value.get(name).is_some();
            self.expect(is_there, place, &format!("{name} is missing"));
        }
    }

    fn check_unknown(
        &mut self,
        rules: &serde_json::Map<String, Value>,
        value: &Value,
        place: &str,
    ) {
        assert_eq!(rules["additionalProperties"], false);
        for name in value
            .as_object()
            .into_iter()
            .flat_map(|fields| fields.keys())
        {
            let is_known = rules["properties"].get(name).is_some();
            self.expect(is_known, place, &format!("{name} is not in the schema"));
        }
    }

    fn check_items(&mut self, rules: &serde_json::Map<String, Value>, value: &Value, place: &str) {
        let n_first = rules
            .get("prefixItems")
            .map_or(0, |first| first.as_array().unwrap().len());
        let items = value.as_array().into_iter().flatten();
        for (number, item) in items.enumerate().skip(n_first) {
            self.check(&rules["items"], item, &format!("{place}[{number}]"));
        }
    }

    fn check_first_items(&mut self, rule: &Value, value: &Value, place: &str) {
        let items = value.as_array().into_iter().flatten();
        for (number, (item, schema)) in items.zip(rule.as_array().unwrap()).enumerate() {
            self.check(schema, item, &format!("{place}[{number}]"));
        }
    }

    fn check_choice(&mut self, keyword: &str, rule: &Value, value: &Value, place: &str) {
        let choices = rule.as_array().unwrap();
        let mut faults = Vec::new();
        for choice in choices {
            let mut inner = Checker {
                whole: self.whole,
                faults: Vec::new(),
            };
            inner.check(choice, value, place);
            faults.push(inner.faults);
        }
        let n_fit = faults.iter().filter(|faults| faults.is_empty()).count();
        if n_fit == 0 {
            self.faults.extend(faults.concat());
        }
        self.expect(keyword == "anyOf" || n_fit <= 1, place, "fits several");
    }
}

/// Whether a value follows a keyword that depends on nothing else.
fn holds(keyword: &str, rule: &Value, value: &Value) -> bool {
    let length = value.as_array().map(Vec::len);
    let limit = rule.as_u64().unwrap_or_default();
    match keyword {
        "type" => match rule.as_str().unwrap() {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "null" => value.is_null(),
            "number" => value.is_number(),
            "integer" => value.is_u64() || value.is_i64(),
            other => panic!("type {other} is not known"),
        },
        "const" => rule == value,
        "enum" => rule.as_array().unwrap().contains(value),
        "minimum" => value
            .as_f64()
            .is_none_or(|number| number >= rule.as_f64().unwrap()),
        "maximum" => value
            .as_f64()
            .is_none_or(|number| number <= rule.as_f64().unwrap()),
        "minItems" => length.is_none_or(|length| length as u64 >= limit),
        "maxItems" => length.is_none_or(|length| length as u64 <= limit),
        _ => panic!("keyword {keyword} is not known"),
    }
}
