//! Tests of `check`: findings in each output format, exit codes and colours.

use crate::common::{Json, TempFolder, shadestep, shadestep_bytes};
use std::process::{Command, Stdio};

const GOOD: &str = "!!FP1.0\nMOV o[COLR], f[COL0];\nEND\n";

/// A program with one error each in lines 2 and 3, column 16.
const BAD: &str = "!!FP1.0\nMOV o[COLR], f[TEX9];\nMOV o[COLR], f[TEX8];\nEND\n";

/// A program with a warning: line 2, column 14 reads R0, which no instruction writes.
const DUBIOUS: &str = "!!FP1.0\nMOV o[COLR], R0;\nEND\n";

#[test]
fn errors_and_warnings_have_file_line_column_and_severity() {
    let folder = TempFolder::new();
    let (good, bad) = (folder.file("good.fp", GOOD), folder.file("bad.fp", BAD));
    let dubious = folder.file("dubious.fp", DUBIOUS);
    let run = shadestep(&["check", &good, &bad, &dubious]);
    let lines = run.lines();
    assert_eq!((run.code, lines.len(), run.err.as_str()), (1, 4, ""), "{}", run.out);
    assert_eq!(lines[0], format!("{good}: ok"));
    assert_eq!(lines[1], format!("{bad}:2:16: error: there is no attribute 'f[TEX9]'"));
    assert_eq!(lines[2], format!("{bad}:3:16: error: there is no attribute 'f[TEX8]'"));
    assert!(lines[3].starts_with(&format!("{dubious}:2:14: warning: ")), "{}", lines[3]);
    assert_eq!(shadestep(&["check", &dubious]).code, 0);
    let denied = shadestep(&["check", "--deny", "warnings", &good, &dubious]);
    assert_eq!((denied.code, denied.lines().len()), (1, 2));
    assert_eq!(denied.lines()[1], lines[3].replace(" warning: ", " error: "));
    assert_eq!(shadestep(&["check", "--deny", "warnings", &good]).code, 0);
    assert_eq!(shadestep(&["check", "--deny", "errors", &good]).code, 2);
}

#[test]
fn scenes_and_files_have_findings_of_the_same_form() {
    let folder = TempFolder::new();
    let good = folder.file("good.fp", GOOD);
    let scene = folder.file("scene.toml", "[program]\nfragment = \"good.fp\"\n[camera]\nfoo = 1\n");
    let missing = folder.0.join("missing.fp").display().to_string();
    let empty = TempFolder::new();
    let empty = empty.0.display().to_string();
    for (file, start, code) in [
        (&scene, format!("{scene}:4:1: error: unknown key \"foo\""), 1),
        (&missing, format!("{missing}:1:1: error: there is no such file"), 2),
        (&empty, format!("{empty}/scene.toml:1:1: error: there is no such file"), 2),
    ] {
        let run = shadestep(&["check", file, &good]);
        assert_eq!((run.code, run.lines().len(), run.err.as_str()), (code, 2, ""), "{}", run.out);
        assert!(run.lines()[0].starts_with(&start), "{}", run.out);
        assert_eq!(run.lines()[1], format!("{good}: ok"));
    }
    // The greater exit code wins, whatever the order.
    assert_eq!(shadestep(&["check", &missing, &scene]).code, 2);
    assert_eq!(shadestep(&["check", &scene, &missing]).code, 2);
}

#[test]
fn parameters_that_no_program_has_are_warned_of_with_a_fix() {
    let folder = TempFolder::new();
    folder.file("a.fp", "!!FP1.0\nDECLARE tint;\nMOV o[COLR], tint;\nEND\n");
    let scene = folder.file("scene.toml", "[program]\nfragment = \"a.fp\"\n[parameters]\ntnit = [1]\n");
    let run = shadestep(&["check", "-q", &scene]);
    let words = "warning: the program has no parameter \"tnit\"; did you mean \"tint\"?";
    assert_eq!((run.code, run.lines()), (0, vec![format!("{scene}:4:1: {words}").as_str()]));
    assert_eq!(shadestep(&["check", "--deny", "warnings", &scene]).code, 1);
    let json = Json::parse(&shadestep(&["check", "--format", "json", &scene]).out);
    let finding = &json.get("findings").items()[0];
    assert_eq!(finding.get("code").text(), "scene-unknown-parameter");
    assert_eq!(finding.get("fix").get("replacement").text(), "tint");
    let drawn = shadestep(&["render", &scene, "-o", &folder.0.join("a.png").display().to_string()]);
    assert!(
        drawn.code == 0 && drawn.err.contains("did you mean \"tint\"? The value is ignored"),
        "{}",
        drawn.err
    );
}

#[test]
fn quiet_leaves_programs_without_problems_out() {
    let folder = TempFolder::new();
    let (good, dubious) = (folder.file("good.fp", GOOD), folder.file("dubious.fp", DUBIOUS));
    let run = shadestep(&["check", "-q", &good, &good]);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "", ""));
    let run = shadestep(&["check", "--quiet", &good, &dubious]);
    assert!(run.lines().len() == 1 && run.out.contains(": warning: "), "{}", run.out);
}

#[test]
fn a_program_on_standard_input_is_checked() {
    let folder = TempFolder::new();
    let good = folder.file("good.fp", GOOD);
    let run = |arguments: &[&str], text: &str| {
        let (code, out, err) = shadestep_bytes(&[&["check"], arguments].concat(), text.as_bytes());
        assert_eq!(err, "");
        (code, String::from_utf8(out).unwrap())
    };
    assert_eq!(run(&["-"], GOOD), (0, "<stdin>: ok\n".to_owned()));
    assert_eq!(run(&[&good, "-"], GOOD), (0, format!("{good}: ok\n<stdin>: ok\n")));
    let (code, out) = run(&["-"], BAD);
    assert!(code == 1 && out.starts_with("<stdin>:2:16: error: "), "{out}");
    // `check` accepts every language, including those that render only together with built-in programs.
    for text in ["!!VP1.0\nMOV o[HPOS], v[OPOS];\nEND\n", "!!VSP1.0\nMOV c[14], v[0].x;\nEND\n"] {
        assert_eq!(run(&["-"], text), (0, "<stdin>: ok\n".to_owned()));
    }
    let run = shadestep(&["check", "-", "-"]);
    assert!(run.code == 2 && run.err.contains("read only once"), "{}", run.err);
    // `./-` is a file, not standard input.
    assert!(shadestep(&["check", "./-"]).out.starts_with("./-:1:1: error: there is no such file"));
}

#[test]
fn text_is_coloured_when_asked_for() {
    let folder = TempFolder::new();
    let (good, bad) = (folder.file("good.fp", GOOD), folder.file("bad.fp", BAD));
    let run = |arguments: &[&str], variable: Option<(&str, &str)>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shadestep"));
        command.arg("check").args(arguments).args([&good, &bad]).env_remove("NO_COLOR").envs(variable);
        String::from_utf8(command.stdin(Stdio::null()).output().unwrap().stdout).unwrap()
    };
    // A pipe is not a terminal.
    let plain = run(&[], None);
    assert!(!plain.contains('\u{1b}'), "{plain:?}");
    assert_eq!(run(&["--color", "auto"], Some(("NO_COLOR", "1"))), plain);
    assert_eq!(run(&["--color", "never"], None), plain);
    let colored = run(&["--color", "always"], None);
    assert!(
        colored.contains(&format!("\u{1b}[1m{bad}:2:16:\u{1b}[0m \u{1b}[1;31merror:\u{1b}[0m ")),
        "{colored:?}"
    );
    // The option overrides the variable.
    assert_eq!(run(&["--color", "always"], Some(("NO_COLOR", "1"))), colored);
    let mut stripped = colored;
    for sequence in ["\u{1b}[1m", "\u{1b}[1;31m", "\u{1b}[32m", "\u{1b}[0m"] {
        stripped = stripped.replace(sequence, "");
    }
    assert_eq!(stripped, plain);
}

#[test]
fn json_has_files_and_findings() {
    let folder = TempFolder::new();
    let (good, bad) = (folder.file("good.fp", GOOD), folder.file("bad.fp", BAD));
    let run = shadestep(&["check", "--format", "json", &good, &bad, "/nonexistent/x.fp"]);
    assert_eq!((run.code, run.lines().len(), run.err.as_str()), (2, 1, ""));
    let json = Json::parse(&run.out);
    let number = |text: &str| Json::Number(text.to_owned());
    assert_eq!((json.get("errors"), json.get("warnings")), (&number("3"), &number("0")));
    let files = json.get("files").items();
    assert_eq!(
        files.iter().map(|file| file.get("ok")).collect::<Vec<_>>(),
        [&Json::Bool(true), &Json::Bool(false), &Json::Bool(false)]
    );
    assert_eq!((files[0].get("file").text(), files[0].get("language").text()), (&*good, "!!FP1.0"));
    let findings = json.get("findings").items();
    let of = |finding: &Json, keys: [&str; 4]| keys.map(|key| finding.get(key).clone());
    let place = ["line", "column", "end_line", "end_column"];
    assert_eq!(of(&findings[0], place), ["2", "16", "2", "20"].map(number));
    // 7 bytes of "!!FP1.0", a line feed, and 15 bytes before column 16.
    assert_eq!(findings[0].get("position"), &number("23"));
    assert_eq!((findings[0].get("file").text(), findings[0].get("severity").text()), (&*bad, "error"));
    assert_eq!(findings[0].get("code").text(), "fp1-bad-attribute");
    assert_eq!(of(&findings[2], place), ["1", "1", "1", "1"].map(number));
    assert_eq!((findings[2].get("code").text(), findings[2].get("position")), ("file", &Json::Null));
}

/// Checks the properties that the SARIF 2.1.0 schema and code scanning require.
#[test]
fn sarif_has_what_its_schema_requires() {
    let folder = TempFolder::new();
    let good = folder.file("good.fp", GOOD);
    // A character of three bytes precedes the error, and URIs must escape the file's name.
    let wide = folder.file("a b%ä.fp", "!!FP1.0\n#\u{20ac}\rMOV o[COLR], f[TEX9]; #\nMOV \u{20ac}");
    let dubious = folder.file("dubious.fp", DUBIOUS);
    let scene = folder.file("scene.toml", "[program]\nfragment = \"good.fp\"\ntitle\u{20ac} = 1\n");
    for files in [&[&good][..], &[&wide, &dubious, &scene, &good]] {
        let files: Vec<&str> = files.iter().map(|file| file.as_str()).collect();
        let run = shadestep(&[&["check", "--format", "sarif"], &files[..]].concat());
        let log = Json::parse(&run.out);
        assert_eq!(log.get("version").text(), "2.1.0");
        assert!(
            log.get("$schema").text().starts_with("https://")
                && log.get("$schema").text().ends_with("sarif-schema-2.1.0.json")
        );
        let [run] = log.get("runs").items() else { panic!("one run") };
        let driver = run.get("tool").get("driver");
        assert_eq!(driver.get("name").text(), "shadestep");
        let rules = driver.get("rules").items();
        let ids: Vec<&str> = rules.iter().map(|rule| rule.get("id").text()).collect();
        for rule in rules {
            for key in ["shortDescription", "fullDescription", "help"] {
                assert!(!rule.get(key).get("text").text().is_empty());
            }
        }
        assert_eq!(run.get("columnKind").text(), "unicodeCodePoints");
        let results = run.get("results").items();
        assert_eq!(results.is_empty(), files.len() == 1);
        for result in results {
            let index = ids.iter().position(|id| *id == result.get("ruleId").text()).unwrap();
            assert_eq!(result.get("ruleIndex"), &Json::Number(index.to_string()));
            assert!(["error", "warning"].contains(&result.get("level").text()));
            assert!(!result.get("message").get("text").text().is_empty());
            let [location] = result.get("locations").items() else { panic!("one place") };
            let physical = location.get("physicalLocation");
            let uri = physical.get("artifactLocation").get("uri").text();
            assert!(uri.starts_with("file:///") && uri.is_ascii() && !uri.contains(' '), "{uri}");
            for key in ["startLine", "startColumn", "endLine", "endColumn"] {
                let Json::Number(number) = physical.get("region").get(key) else { panic!("{key}") };
                assert!(number.parse::<u32>().unwrap() > 0);
            }
        }
        if let [first, ..] = results {
            let physical = first.get("locations").items()[0].get("physicalLocation");
            let uri = physical.get("artifactLocation").get("uri").text();
            assert!(uri.ends_with("/a%20b%25%C3%A4.fp"), "{uri}");
        }
    }
}

#[test]
fn github_gets_workflow_commands() {
    let folder = TempFolder::new();
    let bad = folder.file("a,b:100%\n.fp", BAD);
    let (good, dubious) = (folder.file("good.fp", GOOD), folder.file("dubious.fp", DUBIOUS));
    let run = shadestep(&["check", "--format", "github", &good, &bad, &dubious]);
    assert_eq!((run.code, run.lines().len()), (1, 3), "{}", run.out);
    let name = bad.replace("a,b:100%\n.fp", "a%2Cb%3A100%25%0A.fp");
    assert_eq!(run.lines()[0], format!("::error file={name},line=2,col=16::there is no attribute 'f[TEX9]'"));
    assert!(run.lines()[2].starts_with(&format!("::warning file={dubious},line=2,col=14::")), "{}", run.out);
}

#[test]
fn columns_are_bytes_in_text_and_characters_for_other_tools() {
    let folder = TempFolder::new();
    // The error begins at a character of two bytes.
    let text = "!!FP1.0\n# one\nDEFINE \u{e9} = 1; END\n";
    let program = folder.file("a.fp", text);
    let run = shadestep(&["check", &program]);
    let first = run.lines()[0].to_owned();
    let scene = folder.file("scene.toml", "title = \"\u{20ac}\u{20ac}\"; foo = 1\n");
    let text = shadestep(&["check", &scene]);
    let github = shadestep(&["check", "--format", "github", &scene]);
    let column = |line: &str, before: &str| {
        let rest = line.split(before).nth(1).unwrap();
        rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap()].parse::<u32>().unwrap()
    };
    assert!(first.contains(":3:8: error: "), "{first}");
    let (bytes, characters) = (column(&text.out, "scene.toml:1:"), column(&github.out, "col="));
    // Each of the two characters before the error has three bytes.
    assert_eq!(bytes, characters + 4, "{}{}", text.out, github.out);
}
