public import Foundation
public import ObjectStore

extension StoreCoder {
  /// Reads the body of a response that rejects an object, usually with the status 422 or 400, and returns its messages
  /// by attribute.
  ///
  ///     } catch DataSourceError.badStatus(422, _, let body) {
  ///       let rejection = coder.rejection(of: Order.self, in: body)
  ///       noteField.error = rejection[\Order.note].first
  ///     }
  ///
  /// The shapes of common frameworks are recognized:
  ///
  /// - Rails, Laravel, ASP.NET: `{"message": …, "errors": {"name": [...], "lines.2.count": [...]}}`
  /// - Django REST framework: `{"name": [...], "lines": [{}, {"count": [...]}], "non_field_errors": [...]}`
  /// - JSON:API: `{"errors": [{"source": {"pointer": "/data/attributes/name"}, "detail": …}]}`
  /// - RFC 9457 problem details: `{"title": …, "detail": …, "errors": [{"pointer": "#/name", "detail": …}]}`
  /// - GitHub: `{"message": …, "errors": [{"field": "name", "code": …}]}`
  /// - texts: `["…"]`, `{"errors": ["…"]}`, `{"error": "…"}`
  ///
  /// Names, dotted paths and pointers lead to attributes as in ``attributePath(at:of:dynamic:)``. A name that is not the key of
  /// an attribute is then compared with the keys, and at last with the names of the attributes, without regard to case,
  /// `_` and `-`. Messages about other names are general ones, such as `captcha: is wrong`. A text in one of the members
  /// `message`, `title`, `detail` and `error` of the body is always general. If the body has a member `errors`, its
  /// members that are neither that nor one of these are ignored.
  ///
  /// A body that is not JSON, such as an HTML page, exceeds `byteCount` or `depth` of the coder's limits, or is nested
  /// more than 64 levels deep, is one general message: the first 200 characters, with control characters escaped. Of any
  /// body, at most 1,000 messages are read, and the first 1,000 characters of each. Invalid Unicode is replaced with
  /// U+FFFD.
  ///
  /// - Parameters:
  ///   - type: The class of the object that was sent. If its declarations have mistakes, all messages are general.
  ///   - body: The body of the response. If it is empty, the rejection has no messages.
  /// - Complexity: O(bytes), once the coder has the mapping of the class.
  public func rejection(of type: ObjectBase.Type, in body: Data) -> Edit.Rejection {
    RejectionReader.rejection(in: body, try? codingPlan(type), configuration)
  }

  /// Reads the body of a response that rejects an edit; see `rejection(of:in:)`.
  public func rejection(of edit: Edit, in body: Data) -> Edit.Rejection {
    RejectionReader.rejection(in: body, try? codingPlan(of: edit), configuration)
  }

  /// Reads the body of a response that rejects an object of the class with this name; see `rejection(of:in:)`.
  ///
  /// If the store has no such class, all messages are general.
  public func rejection(dynamic className: String, in body: Data) -> Edit.Rejection {
    RejectionReader.rejection(in: body, try? codingPlan(dynamic: className), configuration)
  }
}
