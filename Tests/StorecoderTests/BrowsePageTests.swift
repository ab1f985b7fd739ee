import DataSources
import Foundation
import LoopbackServer
import TestSupport
import Testing

@testable import storecoder

/// Runs the script of the inspector's page in Chromium, with answers that a test gives.
@Suite(.enabled(if: Chromium.path != nil, "Chromium is not installed"))
struct `The page of the inspector` {
  private let command: StorecoderTool

  init() throws {
    command = try StorecoderTool()
  }

  /// The beginning of each script. A class `A` has the objects with the keys in `keys` and many columns.
  private static let world = """
    const names = ['id', 's', ...Array.from({ length: 30 }, (_, index) => `column${index}`)];
    const attributes = names.map((name) => ({
      name, type: name === 'id' ? 'Int' : 'String?', target: null, isNumeric: name === 'id', isValue: true, isSortable: true }));
    let version = 1;
    let keys = Array.from({ length: 20 }, (_, index) => 20 - index);
    let value = 'text';
    let delay = 0;
    const posts = [];
    const object = (id) => ({
      class: 'A', key: [id], unknown: [], edited: [], state: 'clean',
      values: Object.fromEntries(names.map((name) => [name, name === 'id' ? id : name === 's' ? value : `${name} of ${id}`])) });
    const answer = async (name, parameters) => {
      if (name === 'version') return { version, notice: null };
      if (name === 'store') {
        return { name: 'test.store', isWritable: true, editCount: 0,
          classes: [{ name: 'A', count: keys.length, isEmbedded: false, key: ['id'], attributes }] };
      }
      if (name === 'objects') return { count: keys.length, offset: 0, objects: keys.map(object) };
      if (name === 'edits') return { count: 0, offset: 0, edits: [] };
      await wait(delay);
      return { object: object(JSON.parse(parameters.get('key'))[0]), inverse: [] };
    };
    window.fetch = async (address, options) => {
      const url = new URL(address, location.href);
      const name = url.pathname.split('/').pop();
      if (options?.body !== undefined) posts.push(`${name} ${url.searchParams.get('attribute')} ${options.body}`);
      return new Response(JSON.stringify(await answer(name, url.searchParams)), {
        headers: { 'Content-Type': 'application/json' } });
    };
    let discards = false;
    window.confirm = () => discards;
    const wait = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });
    const commit = async (change) => { change(); version += 1; await wait(1500); };
    const go = async (hash) => { location.hash = hash; await wait(500); };
    const find = (selector) => document.querySelector(selector);
    const results = [];
    const show = (value) => results.push(`${value}`);
    await import('./page.js');
    await wait(500);

    """

  /// Returns what a script passes to `show`.
  private func run(_ script: String, at hash: String = "#/class/A") throws -> [String] {
    let test =
      Self.world + script + """

        document.body.replaceChildren(...results.map((text) => {
          const line = document.createElement('output');
          line.textContent = text;
          return line;
        }));
        """
    let page = String(decoding: PackageResources.index_html, as: UTF8.self)
      .replacing("page.js", with: "test.js")
    let server = try LoopbackServer { request in
      let (type, bytes): (String, [UInt8]) =
        switch request.url.path {
        case "/": ("text/html", Array(page.utf8))
        case "/test.js": ("text/javascript", Array(test.utf8))
        case "/page.js": ("text/javascript", PackageResources.page_js)
        case "/diagram.js": ("text/javascript", PackageResources.diagram_js)
        default: ("text/css", PackageResources.style_css)
        }
      var headers = NetworkResponse.Headers()
      headers["Content-Type"] = "\(type); charset=utf-8"
      return NetworkResponse(status: 200, headers: headers, body: Data(bytes))
    }
    let content = Chromium.content(
      of: "http://127.0.0.1:\(server.port)/\(hash)", milliseconds: 20_000,
      profile: command.folder.file("profile"))
    return content.matches(of: /<output>(.*?)<\/output>/).map { String($0.1) }
  }

  @Test func `a commit keeps the scrolling and the focus`() throws {
    let results = try run(
      """
      const link = () => [...document.querySelectorAll('tbody a')].find((found) => found.textContent === '7');
      link().focus();
      find('.scroll').scrollLeft = 300;
      await commit(() => keys.unshift(100));
      show(document.activeElement === link());
      show(find('.scroll').scrollLeft);
      show(document.querySelectorAll('tbody tr').length);
      await commit(() => { keys = keys.filter((key) => key !== 7); });
      show(document.activeElement === document.body);
      """)
    #expect(results == ["true", "300", "21", "true"])
  }

  @Test func `a commit that changes nothing in the view replaces no element`() throws {
    let results = try run(
      """
      const row = find('tbody tr');
      await commit(() => {});
      show(row.isConnected);
      await commit(() => { value = 'other'; });
      show(row.isConnected);
      show(find('tbody .changed').textContent);
      """)
    #expect(results == ["true", "false", "other"])
  }

  @Test func `a view is not drawn while a part is selected or an element is pressed`() throws {
    let results = try run(
      """
      getSelection().selectAllChildren(find('tbody td'));
      await commit(() => keys.unshift(100));
      show(document.querySelectorAll('tbody tr').length);
      show(find('#status').textContent);
      getSelection().removeAllRanges();
      await wait(1500);
      show(document.querySelectorAll('tbody tr').length);
      show(find('#status').textContent);
      find('tbody a').dispatchEvent(new Event('pointerdown', { bubbles: true }));
      await commit(() => keys.unshift(101));
      show(document.querySelectorAll('tbody tr').length);
      find('tbody a').dispatchEvent(new Event('pointerup', { bubbles: true }));
      await wait(1500);
      show(document.querySelectorAll('tbody tr').length);
      """)
    #expect(
      results == ["20", "New commits are shown when nothing is selected.", "21", "", "21", "22"])
  }

  @Test func `a late answer does not replace the view that was opened since`() throws {
    let results = try run(
      """
      delay = 2000;
      location.hash = '#/object/A?key=%5B3%5D';
      await wait(500);
      await go('#/class/A');
      show(find('main h1').textContent);
      await wait(3000);
      show(find('main h1').textContent);
      """)
    #expect(results == ["A", "A"])
  }

  @Test func `an editor sends what was changed, and asks before it is lost`() throws {
    let results = try run(
      #"""
      const button = (text) => [...document.querySelectorAll('button')].find((found) => found.textContent === text);
      const edit = () => find('[aria-label="Edit s"]').click();
      const area = () => find('textarea');
      edit();
      button('Save').click();
      await wait(300);
      show(posts.length);
      edit();
      area().value = 'say "hi"';
      await go('#/edits');
      show(location.hash);
      button('Save').click();
      await wait(300);
      show(posts.pop());
      await commit(() => { value = null; });
      edit();
      show(`${area().value}|${area().placeholder}`);
      button('Set to ""').click();
      await wait(300);
      show(posts.pop());
      await commit(() => { value = 'a\r\nb'; });
      edit();
      show(area().value);
      area().value = 'plain';
      button('Save').click();
      await wait(300);
      show(posts.pop());
      edit();
      area().value = 'lost';
      discards = true;
      await go('#/edits');
      show(find('main h1').textContent);
      show(posts.length);
      """#, at: "#/object/A?key=%5B3%5D")
    #expect(
      results == [
        "0", "#/object/A?key=%5B3%5D", #"update s "say \"hi\"""#, "|null", #"update s """#,
        #""a\r\nb""#, #"update s "plain""#, "Edits", "0",
      ])
  }
}
