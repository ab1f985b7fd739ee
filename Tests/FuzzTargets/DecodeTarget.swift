import Foundation
import ObjectStore
import StoreCoding
import TestSupport

/// Decodes payloads into a store in memory, and checks what `decode` promises.
enum DecodeTarget {
  static func run(_ bytes: [UInt8]) {
    var input = InputBytes(bytes)
    let shape = Self.shapes[input.byte() % Self.shapes.count]
    let options = PayloadOptions(input.byte())
    shape.run(input.rest.split(separator: 0).map { Data($0) }, options)
  }

  private protocol Shape: Sendable {
    func run(_ payloads: [Data], _ options: PayloadOptions)
  }

  /// A payload with one object, or with a list.
  private struct PayloadOf<T: Object>: Shape {
    let isList: Bool

    func run(_ payloads: [Data], _ options: PayloadOptions) {
      do {
        var laws = try DecodingLaws<T>(options, isList: isList)
        for payload in payloads { laws.check(payload) }
      } catch {
        fatalError("\(error)")
      }
    }
  }

  /// One object and a list of each root class.
  private static let shapes: [any Shape] =
    both(AllTypes.self) + both(Coding.User.self) + both(Coding.PagedUser.self)
    + both(Coding.Restaurant.self) + both(Coding.Farm.self) + both(Coding.ParkingLot.self)
    + both(Coding.AdoptableAnimal.self) + both(Coding.Company.self) + both(Coding.Order.self)
    + both(Coding.KeyedLink.self) + both(Coding.Chain.self) + both(RatingReport.self)
    + both(Helping.self)

  private static func both<T: Object>(_ type: T.Type) -> [any Shape] {
    [false, true].map { PayloadOf<T>(isList: $0) }
  }
}

/// A configuration of a coder that a byte of the input selects.
struct PayloadOptions {
  var configuration: StoreCoder.Configuration
  var absent: AbsentAttributes

  init(_ byte: Int) {
    configuration =
      switch byte % 8 {
      case 1: .strict
      case 2: .realmCoder
      default: .default
      }
    switch byte % 8 {
    case 3: configuration.mismatches = .skipElement
    case 4:
      configuration.mismatches = .skipAttribute
      configuration.invalidUnicode = .repair
    case 5:
      configuration.isFlexible = true
      configuration.emptyAsNil = true
    case 6:
      configuration.duplicateKeys = .fail
      configuration.nulls = .skip
    case 7:
      configuration.mismatches = .useDefault
      configuration.nulls = .default
    default: break
    }
    absent = byte & 8 == 0 ? .keep : .clear
  }
}
