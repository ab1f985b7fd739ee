public import Foundation
public import ObjectStore

extension StoreCoder {
  /// Returns the batches of a list of objects that arrives in chunks. Each batch is decoded and applied in one
  /// transaction when the loop asks for it.
  ///
  ///     for try await batch in coder.batches(of: Order.self, from: chunks, at: "data.orders") {
  ///       show(batch.objects, progress: Double(batch.byteCount) / length)
  ///     }
  ///
  /// The payload is UTF-8 text of one of three forms; see <doc:Streams>:
  /// - one array, or one document with an array at `path`,
  /// - JSON Lines (NDJSON): one object per line,
  /// - objects one after the other.
  ///
  /// The values, the issues and the errors are those of ``read(_:dynamic:from:at:absent:asOf:)``, with paths, offsets and lines
  /// in the whole payload. An element with the primary key of an element in an earlier batch updates the object. Memory
  /// holds one batch, the element in progress and the text outside the list; see ``CodingConfiguration/Limits``.
  ///
  /// An error ends the loop. The batches before it remain in the store, and the error says how many elements they
  /// contain. The batch with the error is not applied. No write transaction is open between two batches, unless the
  /// caller holds one: the batches then join it. Edits that are confirmed after this call are not undone.
  ///
  /// - Parameters:
  ///   - type: The class of the objects.
  ///   - className: The name of the class of dynamic objects, in place of `type`.
  ///   - chunks: The bytes of the payload, in chunks of any size.
  ///   - path: The path to the list, as in ``decodeArray(_:dynamic:from:at:absent:)``; an empty string if the payload has no
  ///     envelope; nil for the `listEnvelope` of the class.
  ///   - absent: The meaning of attributes that the objects lack.
  ///   - size: The maximum number of elements in a batch, at least 1. A batch ends earlier after 4 MiB.
  /// - Returns: The batches. Those before the last one contain `size` elements. The metadata of the first batch has the
  ///   values before the list, and that of the last batch all values outside the list. With an envelope, the last batch
  ///   may be empty.
  /// - Throws: The loop throws ``StoreCodingError``, the errors of `chunks`, and `CancellationError` between two batches if
  ///   the task is cancelled.
  public func batches<T: Object, Chunks: AsyncSequence>(
    of type: T.Type = DynamicObject.self, dynamic className: String? = nil, from chunks: Chunks,
    at path: String? = nil, absent: AbsentAttributes = .keep, size: Int = 1_000
  ) -> some AsyncSequence<ReadResult<T>, any Error> where Chunks.Element: Sequence<UInt8> {
    batches(type, className, chunks, path, absent, size)
  }

  private func batches<T: Object, Chunks: AsyncSequence>(
    _ type: T.Type, _ className: String?, _ chunks: Chunks, _ path: String?,
    _ absent: AbsentAttributes, _ size: Int, makesObjects: Bool = true
  ) -> BatchSequence<T, Chunks> where Chunks.Element: Sequence<UInt8> {
    let list = Result { try listPart(type, dynamic: className, at: path, absent: absent) }
    // Only now does the store know the class.
    let version = store.requestVersion
    return BatchSequence(
      coder: self, chunks: chunks,
      part: {
        var part = try list.get()
        part.version = version
        return part
      }, size: size, makesObjects: makesObjects)
  }

  /// Returns the batches of a list of objects that arrives byte by byte, which is several times slower than in chunks.
  ///
  /// See ``batches(of:dynamic:from:at:absent:size:)-(_,_,Chunks,_,_,_)``.
  public func batches<T: Object, Bytes: AsyncSequence>(
    of type: T.Type = DynamicObject.self, dynamic className: String? = nil, from bytes: Bytes,
    at path: String? = nil, absent: AbsentAttributes = .keep, size: Int = 1_000
  ) -> some AsyncSequence<ReadResult<T>, any Error> where Bytes.Element == UInt8 {
    batches(type, className, ByteChunks(bytes: bytes), path, absent, size)
  }

  /// Returns the batches of a list of objects in a file, which is read in pieces of 256 KiB.
  ///
  /// See ``batches(of:dynamic:from:at:absent:size:)-(_,_,Chunks,_,_,_)``.
  public func batches<T: Object>(
    of type: T.Type = DynamicObject.self, dynamic className: String? = nil,
    contentsOf file: URL, at path: String? = nil, absent: AbsentAttributes = .keep,
    size: Int = 1_000
  ) -> some AsyncSequence<ReadResult<T>, any Error> {
    batches(type, className, FileChunks(url: file), path, absent, size)
  }

  // MARK: - Without objects

  /// Decodes a list of objects in one transaction and returns the numbers of inserted and updated objects. No object is
  /// created, which takes an eighth less time for small objects than ``decodeArray(_:dynamic:from:at:absent:)``.
  ///
  ///     let counts = try coder.readAll([Order].self, from: data)
  ///
  /// For the parameters see ``decodeArray(_:dynamic:from:at:absent:)``.
  /// - Throws: ``StoreCodingError``; the store is then unchanged.
  @discardableResult
  public func readAll<T: Object>(
    _ type: [T].Type = [DynamicObject].self, dynamic className: String? = nil, from data: Data,
    at path: String? = nil, absent: AbsentAttributes = .keep
  ) throws -> ReadResult<T>.Counts {
    let part = try listPart(T.self, dynamic: className, at: path, absent: absent)
    let result: ReadResult<T> = try read(data, part, makesObjects: false)
    return result.counts
  }

  /// Reads a list of objects that arrives in chunks, batch by batch, and returns the numbers of inserted and updated
  /// objects. No object is created, so this suits an import in the background.
  ///
  ///     let counts = try await coder.readAll([Order].self, from: chunks)
  ///     print(counts.inserted, counts.updated, counts.issueCount)
  ///
  /// For the parameters see ``batches(of:dynamic:from:at:absent:size:)-(_,_,Chunks,_,_,_)``.
  /// - Throws: ``StoreCodingError``, the errors of `chunks`, and `CancellationError`. The batches before the error remain
  ///   in the store.
  public func readAll<T: Object, Chunks: AsyncSequence>(
    _ type: [T].Type = [DynamicObject].self, dynamic className: String? = nil, from chunks: Chunks,
    at path: String? = nil, absent: AbsentAttributes = .keep, size: Int = 1_000,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> ReadResult<T>.Counts where Chunks.Element: Sequence<UInt8> {
    try await batches(T.self, className, chunks, path, absent, size, makesObjects: false)
      .counts()
  }

  /// Reads a list of objects that arrives byte by byte, which is several times slower than in chunks.
  ///
  /// See ``readAll(_:dynamic:from:at:absent:size:isolation:)-(_,_,Chunks,_,_,_,_)``.
  public func readAll<T: Object, Bytes: AsyncSequence>(
    _ type: [T].Type = [DynamicObject].self, dynamic className: String? = nil, from bytes: Bytes,
    at path: String? = nil, absent: AbsentAttributes = .keep, size: Int = 1_000,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> ReadResult<T>.Counts where Bytes.Element == UInt8 {
    try await batches(
      T.self, className, ByteChunks(bytes: bytes), path, absent, size, makesObjects: false
    ).counts()
  }

  /// Reads a list of objects in a file, in pieces of 256 KiB.
  ///
  /// See ``readAll(_:dynamic:from:at:absent:size:isolation:)-(_,_,Chunks,_,_,_,_)``.
  public func readAll<T: Object>(
    _ type: [T].Type = [DynamicObject].self, dynamic className: String? = nil,
    contentsOf file: URL, at path: String? = nil, absent: AbsentAttributes = .keep,
    size: Int = 1_000,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> ReadResult<T>.Counts {
    try await batches(
      T.self, className, FileChunks(url: file), path, absent, size, makesObjects: false
    ).counts()
  }
}
