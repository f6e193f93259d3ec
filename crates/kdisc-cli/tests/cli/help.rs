//! Help, and what is said of a command line that cannot be understood.

use crate::common::{Folder, assert_says};

/// All commands, and kdisc itself.
fn commands() -> Vec<String> {
    let commands = kdisc_cli::options().into_iter();
    std::iter::once(String::new())
        .chain(commands.map(|(name, _)| name))
        .collect()
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Lines that were broken by hand and are broken again, in the middle of sentences and commands.
#[test]
fn no_help_is_broken_twice() {
    let folder = Folder::new();
    for command in commands() {
        let help = |columns| {
            folder
                .run_in(Some(columns), &format!("{command} --help"), "")
                .stdout
        };
        let [narrow, wide] = [80, 100].map(|columns| {
            let text = help(columns);
            for line in text.lines() {
                let width = line.chars().count();
                assert!(width <= columns, "{command} at {columns}: {line}");
            }
            // What follows the arguments is as it stands in the source.
            let at = text.find("\nExample").expect("there are examples");
            let (arguments, after) = text.split_at(at);
            let lines: Vec<_> = arguments.lines().collect();
            for pair in lines.windows(2) {
                let [indent, next] = [0, 1].map(|i| indentation(pair[i]));
                let word = pair[1].split_whitespace().next();
                if let (10, 10, Some(word)) = (indent, next, word)
                    && word != "-"
                    && !word.starts_with('[')
                {
                    let with_it = pair[0].trim_end().chars().count() + 1 + word.chars().count();
                    assert!(
                        with_it > columns || pair[0].trim().is_empty(),
                        "{command} at {columns}: {pair:?}"
                    );
                }
            }
            after.to_owned()
        });
        assert_eq!(narrow, wide, "{command}");
    }
}

#[test]
fn an_option_of_another_command_is_said_to_be_one() {
    let folder = Folder::new();
    let says = |args: &str, tip: &str| {
        let ran = folder.run(args);
        assert_eq!(ran.code, Some(2));
        assert_says(&ran.stderr, "unexpected argument");
        assert!(!ran.stderr.contains("as a value"), "{}", ran.stderr);
        assert_says(&ran.stderr, tip);
    };
    says(
        "density --public",
        "tip: '--public' is an option of 'kdisc map' and 'kdisc report'",
    );
    says("density --bandwith 5", "'--bandwidth'");
    says("density --zzz", "Usage: kdisc density");
}

#[test]
fn either_a_value_or_a_category_is_asked_for() {
    let folder = Folder::new().with("t.csv", "x,y,c\n1,1,a\n2,2,b\n3,3,a\n");
    let ran = folder.run("rules t.csv");
    assert_eq!(ran.code, Some(2));
    assert_says(&ran.stderr, "<--value <COL>|--category <COL>>");
    for both in ["--category c", "--value x", "--value x --category c"] {
        let ran = folder.run(&format!("rules t.csv {both} --k 2 -q"));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }
}
