/// Scripts for the completion of commands, options and their values in a shell.
enum Completions {
  static let shells = ["bash", "zsh", "fish"]

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
    let values = commands.flatMap { command in
      command.options.filter { !$0.choices.isEmpty }.map { option in
        "    \"\(command.name) --\(option.name)\") words=\"\(option.choices.joined(separator: " "))\" ;;"
      }
    }
    let optionCases = commands.map { "        \($0.name)) words=\"\(options($0))\" ;;" }
    let names = commands.map(\.name).joined(separator: " ")
    let arguments =
      commands.compactMap { command -> String? in
        let choices = command.arguments.flatMap(\.choices)
        return choices.isEmpty
          ? nil : "        \(command.name)) words=\"\(choices.joined(separator: " "))\" ;;"
      } + ["        help) words=\"\(names)\" ;;"]
    return """
      _storecoder() {
        local word="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD - 1]}" words=""
        # An option and its value may be separated by an equals sign, which is then a word.
        [ "$word" = = ] && word=""
        [ "$previous" = = ] && previous="${COMP_WORDS[COMP_CWORD - 2]}"
        case "${COMP_WORDS[1]} $previous" in
      \(values.joined(separator: "\n"))
        esac
        if [ -n "$words" ]; then
          COMPREPLY=($(compgen -W "$words" -- "$word"))
          return
        fi
        if [ "$COMP_CWORD" -eq 1 ]; then
          words="\(names)"
        elif [[ "$word" == -* ]]; then
          case "${COMP_WORDS[1]}" in
      \(optionCases.joined(separator: "\n"))
          esac
        else
          case "${COMP_WORDS[1]}" in
      \(arguments.joined(separator: "\n"))
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
    /// Escapes the characters that end a description.
    func escaped(_ help: String) -> String {
      help.replacing("'", with: "").replacing("[", with: "\\[").replacing("]", with: "\\]")
    }
    let names = commands.map { "    '\($0.name):\($0.summary.replacing("'", with: ""))'" }
    let cases = commands.map { command in
      let options = command.options.map { option in
        let action =
          option.choices.isEmpty ? "_files" : "(\(option.choices.joined(separator: " ")))"
        return "'--\(option.name)\(option.value == nil ? "" : "=")[\(escaped(option.help))]"
          + "\(option.value.map { ":\($0):\(action)" } ?? "")'"
      }
      let choices = command.arguments.flatMap(\.choices)
      let argument =
        choices.isEmpty ? "'*:file:_files'" : "'1:value:(\(choices.joined(separator: " ")))'"
      let words = ["_arguments"] + options + ["'--help[show the arguments]'", argument]
      return "    \(command.name)) \(words.joined(separator: " ")) ;;"
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
          help) _describe command commands ;;
        esac
      }
      if [ "$funcstack[1]" = "_storecoder" ]; then
        _storecoder "$@"
      else
        compdef _storecoder storecoder
      fi

      """
  }

  private static func fish(_ commands: [Command]) -> String {
    var lines: [String] = []
    for command in commands {
      let summary = command.summary.replacing("'", with: "")
      let isCommand = "'__fish_seen_subcommand_from \(command.name)'"
      lines.append(
        "complete -c storecoder -n __fish_use_subcommand -f -a \(command.name) -d '\(summary)'")
      for option in command.options {
        let choices = option.choices.joined(separator: " ")
        let value = option.value == nil ? "" : choices.isEmpty ? " -r" : " -x -a '\(choices)'"
        lines.append(
          "complete -c storecoder -n \(isCommand) "
            + "-l \(option.name)\(value) -d '\(option.help.replacing("'", with: ""))'")
      }
      let choices = command.arguments.flatMap(\.choices)
      if !choices.isEmpty {
        lines.append(
          "complete -c storecoder -n \(isCommand) -f -a '\(choices.joined(separator: " "))'")
      }
    }
    let names = commands.map(\.name).joined(separator: " ")
    lines.append(
      "complete -c storecoder -n '__fish_seen_subcommand_from help' -f -a '\(names)'")
    return lines.joined(separator: "\n") + "\n"
  }
}
