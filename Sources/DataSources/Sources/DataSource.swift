/// A source for reading, writing and deleting.
public typealias DataSource = GetDataSource & PutDataSource & DeleteDataSource

// MARK: - Errors

extension Query {
  /// The error of a source that does not support the query.
  func notSupported(_ verb: DataSourceError.Verb, _ source: Any.Type) -> DataSourceError {
    .queryNotSupported(query: typedNameInMessages, verb: verb, source: "\(source)")
  }

  /// The error of a source that has no result.
  var notFound: DataSourceError { .notFound(query: nameInMessages) }
}

extension IdentifiersQuery {
  /// - Throws: ``DataSourceError/illegalArgument(_:)`` if the numbers of values and ids differ.
  func check(count: Int) throws {
    guard identifiers.count == count else {
      throw DataSourceError.illegalArgument(
        "\(count) values were passed for \(identifiers.count) ids")
    }
  }
}
