import Foundation
import StoreTesting
import TestSupport
import Testing

@Suite struct `Fixture folders` {
  @Test func `a fixture is found in an enclosing folder`() throws {
    #expect(try Fixtures().data("farm/farm.json").count > 100)
  }

  @Test func `a folder that does not exist is expected next to the test file`() {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Nowhere")
    #expect(Fixtures("Nowhere").folder.path == folder.path)
  }

  @Test func `the error for a missing fixture lists the files in its folder`() {
    let fixtures = Fixtures()
    #expect(
      failureMessage { _ = try fixtures.data("farm/form.json") } == """
        there is no fixture 'farm/form.json' in \(fixtures.folder.path)
          files in its folder: farm-centroid-scalar.json, farm.json
        """)
    #expect(
      failureMessage { _ = try fixtures.data("none/form.json") }
        == "there is no fixture 'none/form.json' in \(fixtures.folder.path)")
  }

  @Test func `an error names a fixture that is a folder or cannot be read`() throws {
    let fixtures = Fixtures()
    #expect(
      failureMessage { _ = try fixtures.data("farm") } == """
        the fixture 'farm' in \(fixtures.folder.path) cannot be read: Is a directory
          it is a folder with: farm-centroid-scalar.json, farm.json
        """)
    let folder = try TemporaryFolder()
    let loop = folder.file("loop.json")
    try FileManager.default.createSymbolicLink(at: loop, withDestinationURL: loop)
    #expect(
      failureMessage { _ = try Fixtures(folder.url).data("loop.json") }
        == "the fixture 'loop.json' in \(folder.url.path) cannot be read: "
        + "Too many levels of symbolic links")
  }
}
