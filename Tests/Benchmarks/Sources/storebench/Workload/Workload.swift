import Foundation

/// The input data of the rows: made once on first use, the same for both sides.
///
///     workload.userList(revision: 0)   // JSON bytes of a REST list
///     workload.books                   // typed rows
final class Workload {
  /// The number of elements of each kind.
  struct Sizes {
    var users = 10_000
    var books = 100_000
    /// Objects in a list of one type or of one shape.
    var listed = 5_000
    /// Elements of one collection.
    var collection = 100_000
    /// Users in one payload of 64 MB.
    var bulkUsers = 95_000
    /// The bytes of one streamed file.
    var streamBytes = 1_000_000_000
    /// The smaller and the larger size of rows that compare a cost at two sizes.
    var small = 1_000
    var large = 1_000_000

    static let standard = Sizes()
    static let tiny = Sizes(
      users: 40, books: 200, listed: 20, collection: 200, bulkUsers: 100,
      streamBytes: 1_000_000, small: 20, large: 200)

    static func uniform(_ size: Int) -> Sizes {
      Sizes(
        users: size, books: size, listed: size, collection: max(size, 5_000),
        bulkUsers: size, small: min(1_000, size), large: size)
    }
  }

  let sizes: Sizes
  private var userLists: [UserListRevision: Data] = [:]
  private var scaledWorkloads: [Int: Workload] = [:]

  init(sizes: Sizes) {
    self.sizes = sizes
  }

  /// Returns the list of users as compact JSON, 680 bytes each on average.
  ///
  /// Revisions of an attribute differ only in that attribute of each user.
  func userList(revision: Int = 0, of attribute: UserAttribute = .followerCount) -> Data {
    let key = UserListRevision(number: revision, attribute: revision == 0 ? nil : attribute)
    if let list = userLists[key] { return list }
    let list = Data(
      makeUserList(count: sizes.users, revision: revision, of: attribute, seed: 20_261_121))
    userLists[key] = list
    return list
  }

  private struct UserListRevision: Hashable {
    let number: Int
    /// The attribute; nil for revision 0, which is the same for all attributes.
    let attribute: UserAttribute?
  }

  /// The books, with ascending keys from 1.
  private(set) lazy var books: [Book] = makeBooks(count: sizes.books, seed: 1_455)

  /// Texts, of which there are as many as books, and searches for words in them.
  private(set) lazy var wordyTexts = WordyTexts(count: sizes.books, seed: 1_826)

  /// The details of users, a JSON object of 2 kB each.
  private(set) lazy var userDetails: [Data] = makeUserDetails(
    count: min(sizes.users, 1_000), seed: 7)

  /// The keys of `books` in a random order that defeats caches.
  private(set) lazy var shuffledBookKeys: [Int] = {
    var keys = Array(1...max(sizes.books, 1))
    var random = Random(seed: 42)
    random.shuffle(&keys)
    return keys
  }()

  /// Returns a workload with `size` elements of each kind; the same instance each time.
  func scaled(to size: Int) -> Workload {
    if let workload = scaledWorkloads[size] { return workload }
    let workload = Workload(sizes: .uniform(size))
    scaledWorkloads[size] = workload
    return workload
  }
}
