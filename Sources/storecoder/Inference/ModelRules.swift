/// The rules by which `storecoder model` chooses types that JSON does not have. Each is conservative: a type that is too
/// general can be changed in the printed code, while one that is too narrow fails with a later response.
enum ModelRules {
  // MARK: - Maps

  /// The maximum number of members of a class whose values are all alike. More of them are a map.
  static let maximumAlikeCount = 40

  // MARK: - Dates

  /// The number of days such as `2024-03-01` that are dates under any key. A time with a zone is always a date.
  static let minimumDayCount = 3

  /// The last words of keys of Unix times and of other points in time: `created_at`, `expiryDate`.
  static let timeWords: Set<String> = [
    "at", "created", "date", "datetime", "expires", "expiry", "modified", "published", "since",
    "time",
    "timestamp", "ts", "until", "updated",
  ]

  /// The last words of keys of days, in addition to `timeWords`: `born_on`.
  static let dayWords: Set<String> = [
    "birthdate", "birthday", "born", "day", "deadline", "dob", "due", "end", "from", "on", "start",
    "to",
  ]

  /// The numbers that are Unix times: from 2000 until 2100, in seconds and in milliseconds. The ranges do not overlap.
  static let unixSeconds = 946_684_800..<4_102_444_800
  static let unixMilliseconds = 946_684_800_000..<4_102_444_800_000

  /// The years of dates with more than three fraction digits. Outside of them, a `Date` is coarser than a microsecond.
  static let microsecondYears = 1864..<2137

  // MARK: - Amounts

  /// Words in keys of amounts, whose strings become decimals. Under other keys, `"1.10"` may be a version.
  static let amountWords: Set<String> = [
    "amount", "balance", "cost", "deposit", "discount", "fee", "fees", "gross", "net", "paid",
    "payment", "price", "prices", "subtotal", "sum", "tax", "total",
  ]

  /// The maximum number of digits of an amount. A `Decimal` represents them exactly.
  static let maximumDigitCount = 30

  // MARK: - Enums

  /// The minimum number of strings of an enum.
  static let minimumEnumCount = 10
  /// The maximum number of distinct strings of an enum, and their maximum length in bytes.
  static let maximumCaseCount = 12
  static let maximumCaseLength = 40
  /// The minimum number of occurrences of each distinct string, on average.
  static let minimumRepetition = 5
}
