import Foundation

/// The browser in which the page of the inspector is tested.
enum Chromium {
  /// The path of its program; nil if it is not installed.
  static let path = ["chromium", "chromium-browser", "google-chrome"].lazy
    .map { "/usr/bin/\($0)" }.first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Returns the content of a page after its scripts have run; empty if the browser fails, or does not end in a minute.
  /// - Parameters:
  ///   - milliseconds: The time that passes for the scripts. They do not wait for it: timers fire early.
  ///   - profile: The folder for the settings of the browser.
  static func content(of address: String, milliseconds: Int, profile: URL) -> String {
    let browser = Process()
    browser.executableURL = URL(filePath: path ?? "")
    browser.arguments = [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=\(milliseconds)",
      "--user-data-dir=\(profile.path)", "--dump-dom", address,
    ]
    let pipe = Pipe()
    browser.standardOutput = pipe
    browser.standardError = FileHandle.nullDevice
    guard (try? browser.run()) != nil else { return "" }
    let id = browser.processIdentifier
    let end = DispatchWorkItem { kill(id, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: end)
    let content = try? pipe.fileHandleForReading.readToEnd()
    end.cancel()
    browser.waitUntilExit()
    return String(decoding: content ?? Data(), as: UTF8.self)
  }
}
