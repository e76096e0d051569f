//! `--plan slurm` on a farm: Slurm with two nodes on the loopback interface writes what a compile writes, also if a
//! node dies in the middle of its map. Needs Slurm's programs, which Debian calls `slurmctld`, `slurmd` and
//! `slurm-client`, but neither root nor MUNGE; the test is skipped without them.
#![cfg(unix)]

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use onion_tests::fixtures::has_or_skips;

use crate::folder::*;
use crate::planning::{assert_built, project};

const NODES: [&str; 2] = ["n1", "n2"];
/// How long a farm may take to do something, in seconds: it does all within ten.
const PATIENCE: u64 = 120;

/// Slurm's daemons, which end with the test, in a folder of their own.
struct Farm<'a> {
    folder: &'a Folder,
    controller: Child,
    nodes: Vec<Child>,
}

impl<'a> Farm<'a> {
    fn start(folder: &'a Folder) -> Self {
        let root = folder.0.path().to_str().unwrap();
        // Bound all at once, the ports differ.
        let free = [(); 3].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
        let [port, n1, n2] = free.map(|socket| socket.local_addr().unwrap().port());
        let output = Command::new("id").arg("-un").output().unwrap();
        let user = String::from_utf8(output.stdout).unwrap();
        folder.make_folder("state");
        folder.write(
            "slurm.conf",
            format!(
                "ClusterName=farm\nSlurmctldHost=localhost(127.0.0.1)\nSlurmctldPort={port}\n\
                 SlurmUser={user}SlurmdUser={user}AuthType=auth/none\nCredType=cred/none\n\
                 MpiDefault=none\nProctrackType=proctrack/pgid\nTaskPlugin=task/none\n\
                 SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nSlurmdTimeout=5\n\
                 SchedulerParameters=sched_interval=1\n\
                 StateSaveLocation={root}/state\nSlurmdSpoolDir={root}/spool.%n\n\
                 SlurmdPidFile={root}/%n.pid\nSlurmctldPidFile={root}/controller.pid\n\
                 NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port={n1}\n\
                 NodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port={n2}\n\
                 PartitionName=main Nodes=n1,n2 Default=YES\n"
            ),
        );
        let daemon = |program: &str, arguments: &[&str]| {
            let mut command = Command::new(program);
            command.args(["-D", "-f"]).arg(format!("{root}/slurm.conf"));
            command.args(arguments).stdout(Stdio::null());
            command.stderr(Stdio::null()).spawn().unwrap()
        };
        let farm = Self {
            controller: daemon("slurmctld", &[]),
            nodes: NODES.map(|node| daemon("slurmd", &["-N", node])).into(),
            folder,
        };
        farm.wait_until("the nodes are idle", || {
            let output = farm.client("sinfo", &["-h", "-t", "idle", "-o", "%D"]);
            String::from_utf8_lossy(&output.stdout).trim() == "2"
        });
        farm
    }

    fn client(&self, program: &str, arguments: &[&str]) -> Output {
        let bin = self.folder.0.path().join("bin");
        let path = std::env::var("PATH").unwrap();
        Command::new(program)
            .args(arguments)
            .current_dir(self.folder.0.path())
            .env("SLURM_CONF", self.folder.0.path().join("slurm.conf"))
            .env("PATH", format!("{}:{path}", bin.display()))
            .output()
            .unwrap()
    }

    fn wait_until(&self, what: &str, mut holds: impl FnMut() -> bool) {
        let start = Instant::now();
        while !holds() {
            let queue = self.client("squeue", &["-l"]);
            assert!(
                start.elapsed() < Duration::from_secs(PATIENCE),
                "not within {PATIENCE} s: {what}: {}",
                String::from_utf8_lossy(&queue.stdout)
            );
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Submits the plan and returns the number of its job.
    fn submit(&self) -> String {
        let output = self.client("sbatch", &["--parsable", "farm.sh"]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{stderr}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn wait_for_end(&self) {
        self.wait_until("all tasks have ended", || {
            self.client("squeue", &["-h"]).stdout.is_empty()
        });
    }
}

impl Drop for Farm<'_> {
    fn drop(&mut self) {
        self.client("scancel", &["--state=running"]);
        for child in self.nodes.iter_mut().chain([&mut self.controller]) {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        // A task of a node that died is still there.
        if let Ok(task) = fs::read_to_string(self.folder.0.path().join("hanging")) {
            Command::new("kill").arg(task.trim()).status().unwrap();
        }
    }
}

/// Makes an `onionc` for the nodes that notes where each task runs, and hangs on a node if its folder says so.
fn write_program(folder: &Folder, binary: &Path) {
    folder.make_folder("bin");
    folder.write(
        "bin/onionc",
        format!(
            "#!/bin/sh\necho \"$SLURMD_NODENAME $SLURM_ARRAY_TASK_ID\" >> tasks\n\
             if [ -e \"hang.$SLURMD_NODENAME\" ]; then echo $$ > hanging; exec sleep 600; fi\n\
             exec '{}' \"$@\"\n",
            binary.display()
        ),
    );
    let path = folder.0.path().join("bin/onionc");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn slurm_builds_what_a_compile_builds() {
    let programs = ["slurmctld", "slurmd", "sbatch"];
    if !programs
        .iter()
        .all(|program| has_or_skips(program, "plans for Slurm"))
    {
        return;
    }
    let folder = project();
    write_program(&folder, binary());
    folder.write(
        "farm.sh",
        folder.succeed("maps -o built/ --threads 1 --plan slurm"),
    );
    let mut farm = Farm::start(&folder);
    farm.submit();
    farm.wait_for_end();
    assert_built(&folder);

    // A node hangs in its first task and dies. Slurm gives the task to the other one, after two minutes of its own.
    folder.write("hang.n1", "");
    fs::remove_file(folder.0.path().join("tasks")).unwrap();
    let job = farm.submit();
    farm.wait_until("a task runs on n1", || {
        folder.0.path().join("hanging").exists()
    });
    farm.nodes[0].kill().unwrap();
    farm.wait_until("Slurm notices that n1 is gone", || {
        let queue = farm.client("squeue", &["-h", "-t", "pending", "-o", "%r"]);
        String::from_utf8_lossy(&queue.stdout).contains("BeginTime")
    });
    farm.client(
        "scontrol",
        &["update", &format!("JobId={job}"), "StartTime=now"],
    );
    farm.wait_for_end();
    assert_built(&folder);
    let tasks = folder.read_text("tasks");
    let of = |node: &str| -> Vec<&str> {
        let on_node = tasks.lines().filter_map(|line| line.strip_prefix(node));
        on_node.collect()
    };
    let [on_n1, on_n2] = NODES.map(of);
    assert_eq!(on_n1.len(), 1, "{tasks}");
    assert!(on_n2.contains(&on_n1[0]), "{tasks}");
}
