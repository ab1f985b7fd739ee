import Foundation

/// The data that rows are measured on: made once when first asked for, the same for both sides.
///
///     workload.userList(revision: 0)   // JSON bytes of a REST list
///     workload.books                   // typed rows
final class Workload {
  /// How many elements there are of each kind.
  struct Sizes {
    var users = 10_000
    var books = 100_000
    /// Objects in a list of one type or of one shape.
    var listed = 5_000
    /// Elements of one collection.
    var collection = 100_000
    /// Users that are one payload of 64 MB.
    var bulkUsers = 95_000
    /// The two ends of rows that compare a cost at two sizes.
    var small = 1_000
    var large = 1_000_000

    static let standard = Sizes()
    static let tiny = Sizes(
      users: 40, books: 200, listed: 20, collection: 200, bulkUsers: 100, small: 20,
      large: 200)

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

  /// The list of users as a server sends it: compact JSON, 680 bytes each on average.
  ///
  /// Revisions of one attribute differ in that attribute of every user and in nothing else.
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
    /// nil for revision 0, which is the same whatever the attribute.
    let attribute: UserAttribute?
  }

  /// The books, keys ascending from 1.
  private(set) lazy var books: [Book] = makeBooks(count: sizes.books, seed: 1_455)

  /// Texts to be searched for words, and searches; as many as there are books.
  private(set) lazy var wordyTexts = WordyTexts(count: sizes.books, seed: 1_826)

  /// Users one by one, a JSON object of 2 kB each.
  private(set) lazy var userDetails: [Data] = makeUserDetails(
    count: min(sizes.users, 1_000), seed: 7)

  /// The keys of `books` in an order that no cache foresees.
  private(set) lazy var shuffledBookKeys: [Int] = {
    var keys = Array(1...max(sizes.books, 1))
    var random = Random(seed: 42)
    random.shuffle(&keys)
    return keys
  }()

  /// A workload with `size` elements of every kind; the same one each time.
  func scaled(to size: Int) -> Workload {
    if let workload = scaledWorkloads[size] { return workload }
    let workload = Workload(sizes: .uniform(size))
    scaledWorkloads[size] = workload
    return workload
  }
}
