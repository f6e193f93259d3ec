//! The `kdisc` command.

fn main() -> std::process::ExitCode {
    kdisc_cli::main()
}
