/// Scripts for the completion of commands and options in a shell.
enum Completions {
  static func script(_ shell: String, _ commands: [Command]) -> String? {
    switch shell {
    case "bash": bash(commands)
    case "zsh": zsh(commands)
    case "fish": fish(commands)
    default: nil
    }
  }

  private static func options(_ command: Command) -> String {
    (command.options.map { "--\($0.name)" } + ["--help"]).joined(separator: " ")
  }

  private static func bash(_ commands: [Command]) -> String {
    let cases = commands.map { "    \($0.name)) words=\"\(options($0))\" ;;" }
    return """
      _storecoder() {
        local word="${COMP_WORDS[COMP_CWORD]}" words=""
        if [ "$COMP_CWORD" -eq 1 ]; then
          words="\(commands.map(\.name).joined(separator: " "))"
        elif [[ "$word" == -* ]]; then
          case "${COMP_WORDS[1]}" in
      \(cases.joined(separator: "\n"))
          esac
        fi
        COMPREPLY=($(compgen -W "$words" -- "$word"))
        [ ${#COMPREPLY[@]} -gt 0 ] && return
        local file
        while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$word")
        compopt -o filenames 2>/dev/null
      }
      complete -F _storecoder storecoder

      """
  }

  private static func zsh(_ commands: [Command]) -> String {
    let names = commands.map { "    '\($0.name):\($0.summary.replacing("'", with: ""))'" }
    let cases = commands.map { command in
      let options = command.options.map { option in
        "'--\(option.name)[\(option.help.replacing("'", with: ""))]"
          + "\(option.value.map { ":\($0):_files" } ?? "")'"
      }
      return "    \(command.name)) _arguments \(options.joined(separator: " ")) '*:file:_files' ;;"
    }
    return """
      #compdef storecoder
      _storecoder() {
        local -a commands
        commands=(
      \(names.joined(separator: "\n"))
        )
        if (( CURRENT == 2 )); then
          _describe command commands
          return
        fi
        local command=$words[2]
        shift words
        (( CURRENT-- ))
        case $command in
      \(cases.joined(separator: "\n"))
        esac
      }
      _storecoder "$@"

      """
  }

  private static func fish(_ commands: [Command]) -> String {
    var lines: [String] = []
    for command in commands {
      let summary = command.summary.replacing("'", with: "")
      lines.append(
        "complete -c storecoder -n __fish_use_subcommand -f -a \(command.name) -d '\(summary)'")
      for option in command.options {
        lines.append(
          "complete -c storecoder -n '__fish_seen_subcommand_from \(command.name)' "
            + "-l \(option.name)\(option.value == nil ? "" : " -r") "
            + "-d '\(option.help.replacing("'", with: ""))'")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
