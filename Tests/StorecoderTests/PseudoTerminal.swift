import Foundation

/// A terminal for the output of a command. It holds about 4 KB.
struct PseudoTerminal {
  private let input: FileHandle
  let output: FileHandle

  init(columns: Int) throws {
    let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    guard descriptor >= 0, let name = Self.outputPath(descriptor) else {
      throw CocoaError(.fileReadUnknown)
    }
    input = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    output = FileHandle(
      fileDescriptor: open(name, O_RDWR | O_NOCTTY), closeOnDealloc: true)
    var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(output.fileDescriptor, UInt(TIOCSWINSZ), &size) == 0 else {
      throw CocoaError(.fileReadUnknown)
    }
    // Line feeds are not preceded by carriage returns.
    var settings = termios()
    tcgetattr(output.fileDescriptor, &settings)
    settings.c_oflag &= ~tcflag_t(OPOST)
    tcsetattr(output.fileDescriptor, TCSANOW, &settings)
  }

  /// Returns the path at which a program opens the terminal.
  private static func outputPath(_ descriptor: Int32) -> String? {
    #if canImport(Darwin)
      guard grantpt(descriptor) == 0, unlockpt(descriptor) == 0 else { return nil }
      return ptsname(descriptor).map { String(cString: $0) }
    #else
      // TIOCSPTLCK and TIOCGPTN, which Swift does not import.
      var (isLocked, number): (Int32, Int32) = (0, 0)
      guard ioctl(descriptor, 0x4004_5431, &isLocked) == 0,
        ioctl(descriptor, 0x8004_5430, &number) == 0
      else { return nil }
      return "/dev/pts/\(number)"
    #endif
  }

  /// Returns what the command has written.
  func text() throws -> String {
    let descriptor = input.fileDescriptor
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4_096)
    while case let count = read(descriptor, &part, part.count), count > 0 {
      bytes += part.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
