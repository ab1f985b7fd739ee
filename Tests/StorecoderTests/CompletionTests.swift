import Foundation
import TestSupport
import Testing

@testable import storecoder

/// The completion scripts, run in the shells that are installed.
@Suite struct `Completions in a shell` {
  private let command: StorecoderTool

  init() throws {
    command = try StorecoderTool()
  }

  private static func path(_ shell: String) -> String? {
    ["/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + shell }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs a script in a shell, and returns its output.
  private func run(_ shell: String, options: [String] = [], _ text: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: try #require(Self.path(shell)))
    process.arguments = options + [try command.file("script", text)]
    process.currentDirectoryURL = command.folder.url
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return text
  }

  private func script(_ shell: String) throws -> String {
    try command.run("completions", shell).output
  }

  @Test(.enabled(if: path("bash") != nil)) func `bash completes commands, options and files`()
    throws
  {
    for name in ["my file.json", "my other file.json", "*.json"] { _ = try command.file(name, "") }
    let text = try run(
      "bash",
      script("bash") + """

        complete() {
          COMPREPLY=()
          COMP_WORDS=("$@")
          COMP_CWORD=$(($# - 1))
          _storecoder
          printf '<%s>' "${COMPREPLY[@]}"
          echo
        }
        complete storecoder im
        complete storecoder import my
        complete storecoder import '*'
        complete storecoder diff --al
        complete storecoder query --format m
        complete storecoder completions z
        complete storecoder query --format = m
        complete storecoder help im
        complete storecoder export --format =
        """)
    let lines = text.split(separator: "\n").map(String.init)
    try #require(lines.count == 9)
    #expect(lines[6] == "<markdown>" && lines[7] == "<import>")
    #expect(lines[8] == "<json><ndjson><csv><markdown>")
    #expect(lines[0] == "<import>" && lines[3] == "<--all>")
    #expect(
      lines[1] == "<my file.json><my other file.json>"
        || lines[1] == "<my other file.json><my file.json>")
    #expect(lines[2] == "<*.json>")
    #expect(lines[4] == "<markdown>" && lines[5] == "<zsh>")
  }

  @Test(.enabled(if: path("fish") != nil)) func `fish completes commands, options and files`()
    throws
  {
    _ = try command.file("my file.json", "")
    let text = try run(
      "fish", options: ["--no-config"],
      script("fish") + """

        complete -C "storecoder im"
        complete -C "storecoder diff --al"
        complete -C "storecoder query --format m"
        complete -C "storecoder completions z"
        complete -C "storecoder import my"
        """)
    let words = text.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
    #expect(words == ["import", "--all", "markdown", "zsh", "my file.json"])
  }

  @Test(.enabled(if: path("zsh") != nil)) func `zsh completes commands, options and files`() throws
  {
    _ = try command.file("my file.json", "")
    _ = try command.file("completions.zsh", script("zsh"))
    // A shell in a pseudo terminal, because completion needs an editor.
    let text = try run(
      "zsh", options: ["-f"],
      """
      zmodload zsh/zpty
      zpty shell "zsh -f -i"
      received=""
      # Reads until the shell has written a text.
      await() {
        local part count=0
        while [[ "$received" != *"$1"* && $count -lt 2000 ]]; do
          if zpty -r -t shell part; then received+="$part"; else sleep 0.005; fi
          (( count++ ))
        done
        [[ "$received" == *"$1"* ]] && print -r -- "$1"
        received=""
      }
      zpty -w shell "autoload -Uz compinit; compinit -u -D; source ./completions.zsh; echo is''ready"
      await isready
      complete() {
        zpty -w -n shell "$1"$'\\t'
        await "$2"
        zpty -w -n shell $'\\C-u'
      }
      complete "storecoder im" "storecoder import"
      complete "storecoder diff --al" "storecoder diff --all"
      complete "storecoder query --format m" "--format markdown"
      complete "storecoder completions z" "completions zsh"
      complete "storecoder import my" "my\\\\ file.json"
      zpty -d shell
      """)
    #expect(
      text == """
        isready
        storecoder import
        storecoder diff --all
        --format markdown
        completions zsh
        my\\ file.json

        """)
  }

  @Test(arguments: Completions.shells)
  func `completion scripts contain each command and option`(shell: String) throws {
    let script = try script(shell)
    for found in StoreCoderCommand.commands {
      #expect(script.contains(found.name))
      for option in found.options { #expect(script.contains(option.name)) }
    }
  }
}
