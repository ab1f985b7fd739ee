import Foundation
import StoreTesting
import TestSupport
import Testing

@Suite struct `Fixture folders` {
  @Test
  func `a fixture is found in an enclosing folder or throws an error that lists other files`()
    throws
  {
    let fixtures = Fixtures()
    #expect(try fixtures.data("farm/farm.json").count > 100)
    #expect(
      failureMessage { _ = try fixtures.data("farm/form.json") } == """
        there is no fixture 'farm/form.json' in \(fixtures.folder.path)
          files in its folder: farm-centroid-scalar.json, farm.json
        """)
    #expect(
      failureMessage { _ = try fixtures.data("none/form.json") }
        == "there is no fixture 'none/form.json' in \(fixtures.folder.path)")
    #expect(Fixtures("Nowhere").folder.lastPathComponent == "Nowhere")
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
