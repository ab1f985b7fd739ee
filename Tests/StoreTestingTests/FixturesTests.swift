import Foundation
import StoreTesting
import TestSupport
import Testing

@Suite struct `Fixture folders` {
  @Test func `are found further up, and name what they have`() throws {
    let fixtures = Fixtures()
    #expect(try fixtures.data("farm/farm.json").count > 100)
    #expect(
      told { _ = try fixtures.data("farm/form.json") } == """
        there is no fixture 'farm/form.json' in \(fixtures.folder.path)
          beside it are: farm-centroid-scalar.json, farm.json
        """)
    #expect(
      told { _ = try fixtures.data("none/form.json") }
        == "there is no fixture 'none/form.json' in \(fixtures.folder.path)")
    #expect(Fixtures("Nowhere").folder.lastPathComponent == "Nowhere")
  }

  @Test func `tell a folder, and what cannot be read`() throws {
    let fixtures = Fixtures()
    #expect(
      told { _ = try fixtures.data("farm") } == """
        the fixture 'farm' in \(fixtures.folder.path) cannot be read: Is a directory
          in it are: farm-centroid-scalar.json, farm.json
        """)
    let folder = try TemporaryFolder()
    let loop = folder.file("loop.json")
    try FileManager.default.createSymbolicLink(at: loop, withDestinationURL: loop)
    #expect(
      told { _ = try Fixtures(folder.url).data("loop.json") }
        == "the fixture 'loop.json' in \(folder.url.path) cannot be read: "
        + "Too many levels of symbolic links")
  }
}
