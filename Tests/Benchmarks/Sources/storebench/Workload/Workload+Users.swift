import Foundation

/// The attribute in which two revisions of a user list differ.
enum UserAttribute {
  /// A number; the length of the payload changes by at most a digit.
  case followerCount
  /// A string, nearly always of 13 bytes in revision 0 and longer in later revisions.
  case username
}

/// The differences between the users of a list and single users.
private struct UserStyle {
  let bioWords: ClosedRange<Int>
  let nullBioPercent: Int

  static let listed = UserStyle(bioWords: 3...25, nullBioPercent: 30)
  /// A user with a long bio, 2 kB in total.
  static let detailed = UserStyle(bioWords: 190...230, nullBioPercent: 0)
}

/// Returns payloads with the details of one user each, 2 kB on average.
func makeUserDetails(count: Int, seed: UInt64) -> [Data] {
  var random = Random(seed: seed)
  return (0..<count).map { index in
    var bytes: [UInt8] = []
    appendUser(
      index, revision: 0, of: .followerCount, style: .detailed, to: &bytes, &random)
    return Data(bytes)
  }
}

/// Returns a realistic REST list: Unicode, escapes, nulls, nested objects, dates with and without milliseconds.
/// The result depends only on the parameters, not on the toolchain.
func makeUserList(count: Int, revision: Int, of attribute: UserAttribute, seed: UInt64) -> [UInt8] {
  var random = Random(seed: seed)
  var bytes: [UInt8] = []
  bytes.reserveCapacity(count * 700)
  bytes.append(UInt8(ascii: "["))
  for index in 0..<count {
    if index > 0 { bytes.append(UInt8(ascii: ",")) }
    appendUser(index, revision: revision, of: attribute, style: .listed, to: &bytes, &random)
  }
  bytes.append(UInt8(ascii: "]"))
  return bytes
}

private func appendUser(
  _ index: Int, revision: Int, of attribute: UserAttribute, style: UserStyle,
  to bytes: inout [UInt8], _ random: inout Random
) {
  var name = "user_" + String(random.next() >> 32, radix: 16)
  let host = random.pick(["example.com", "mail.example.org", "corp.example.net"])
  let email = "\(name)@\(host)"
  if attribute == .username && revision > 0 { name += "_\(revision)" }

  bytes.appendText("{")
  bytes.appendField("id", integer: 1_000_000 + index * 7 + random.below(7))
  bytes.appendKey("uuid")
  appendUUID(to: &bytes, &random)
  bytes.appendField("username", string: name)
  bytes.appendField("email", string: email)
  bytes.appendField("first_name", string: random.pick(firstNames))
  bytes.appendField("last_name", string: random.pick(lastNames))
  bytes.appendField("is_active", bool: random.chance(percent: 80))
  bytes.appendKey("created_at")
  appendDate(withMilliseconds: false, to: &bytes, &random)
  if random.chance(percent: 15) {
    bytes.appendNull("updated_at")
  } else {
    bytes.appendKey("updated_at")
    appendDate(withMilliseconds: true, to: &bytes, &random)
  }
  bytes.appendField("score", scaled: random.below(501), places: 2)
  bytes.appendField("balance", scaled: random.within(-100_000...10_000_000), places: 2)
  // Slightly above a power of two up to 2^24, all equally likely, so that few users have many followers.
  let followers = (1 << random.below(25)) + random.below(1_000)
  bytes.appendField(
    "follower_count",
    integer: attribute == .followerCount ? followers + revision : followers)
  if random.chance(percent: style.nullBioPercent) {
    bytes.appendNull("bio")
  } else {
    bytes.appendField("bio", string: words(random.within(style.bioWords), &random))
  }
  appendAddress(to: &bytes, &random)
  if random.chance(percent: 40) {
    bytes.appendNull("company")
  } else {
    bytes.appendKey("company")
    bytes.appendText("{")
    bytes.appendField("name", string: random.pick(companies))
    bytes.appendField("title", string: random.pick(titles))
    bytes.appendField("remote", bool: random.chance(percent: 30))
    bytes.appendText("}")
  }
  appendTags(to: &bytes, &random)
  bytes.appendKey("avatar_url")
  bytes.appendText("\"https://cdn.example.com/avatars/")
  bytes.appendHex(random.next(), digits: 16)
  bytes.appendText("/large.png?v=\(random.within(1...9))\"")
  bytes.appendText("}")
}

private func appendAddress(to bytes: inout [UInt8], _ random: inout Random) {
  bytes.appendKey("address")
  bytes.appendText("{")
  bytes.appendField("street", string: "\(random.within(1...999)) \(random.pick(streets))")
  bytes.appendField("city", string: random.pick(cities))
  bytes.appendKey("zip")
  bytes.appendText("\"")
  bytes.appendDigits(random.below(100_000), count: 5)
  bytes.appendText("\"")
  bytes.appendField("country", string: random.pick(countries))
  bytes.appendKey("geo")
  bytes.appendText("{")
  bytes.appendField("lat", scaled: random.within(-90_000_000...90_000_000), places: 6)
  bytes.appendField("lng", scaled: random.within(-180_000_000...180_000_000), places: 6)
  bytes.appendText("}}")
}

private func appendTags(to bytes: inout [UInt8], _ random: inout Random) {
  bytes.appendKey("tags")
  bytes.appendText("[")
  var left = tags
  for position in 0..<random.below(6) {
    if position > 0 { bytes.appendText(",") }
    bytes.appendJSONString(left.remove(at: random.below(left.count)))
  }
  bytes.appendText("]")
}

func appendUUID(to bytes: inout [UInt8], _ random: inout Random) {
  bytes.appendText("\"")
  bytes.appendHex(random.next(), digits: 8)
  for _ in 0..<3 {
    bytes.appendText("-")
    bytes.appendHex(random.next(), digits: 4)
  }
  bytes.appendText("-")
  bytes.appendHex(random.next(), digits: 12)
  bytes.appendText("\"")
}

func appendDate(withMilliseconds: Bool, to bytes: inout [UInt8], _ random: inout Random) {
  // 2015 to 2025.
  let seconds = 1_420_070_400 + random.below(11 * 365 * 86_400)
  bytes.appendText("\"")
  bytes.appendTimestamp(
    secondsSince1970: seconds, milliseconds: withMilliseconds ? random.below(1_000) : nil)
  bytes.appendText("\"")
}

func words(_ count: Int, _ random: inout Random) -> String {
  (0..<count).map { _ in random.pick(bioWords) }.joined(separator: " ")
}

private let firstNames = [
  "Anna", "Ben", "Chloé", "Dmitri", "Élodie", "François", "Grzegorz", "Håkon", "Inês", "José",
  "Karin", "Łukasz", "María", "Nguyễn", "Ólafur", "Søren", "Zoë", "Yuki", "さくら", "美咲", "伟",
  "Олег", "Наталья", "Ahmed", "محمد", "Priya", "अनन्या", "John", "Emma", "Liam", "Olivia", "Noah",
]
private let lastNames = [
  "Schmidt", "Müller", "Dubois", "Kowalski", "García", "Иванов", "田中", "佐藤", "王", "O'Neil",
  "Smith", "Johnson", "Williams", "Brown", "Andersson", "Þórsson", "Çelik", "Nowak", "Rossi",
  "de\u{A0}Souza", "Kaya", "Haddad", "Sharma",
]
private let streets = [
  "Main St", "Hauptstraße", "Rue de la Paix", "Calle Mayor", "ул. Ленина", "5th Avenue",
  "Elm Street",
  "Baker Street", "Unter den Linden", "Via Roma",
]
private let cities = [
  "Berlin", "München", "São Paulo", "New York", "Paris", "Kraków", "東京", "Tokyo", "Москва",
  "İstanbul",
  "Reykjavík", "Los Angeles", "Chicago", "Toronto", "Zürich", "København", "London", "Madrid",
  "Roma",
]
private let countries = [
  "DE", "BR", "US", "FR", "PL", "JP", "TR", "IS", "CA", "CH", "DK", "GB", "IT",
]
private let companies = [
  "Acme Inc.", "Globex", "Harbour \"Press\"", "Mill & Sons", "Müller GmbH", "株式会社サンプル",
  "Northwind Lanterns", "Initech",
]
private let titles = [
  "Engineer", "Senior Engineer", "Product Manager", "Designer", "CTO", "Data Scientist", "Intern",
]
private let tags = [
  "swift", "ios", "android", "backend", "frontend", "music", "travel", "foodie", "photography",
  "日本語",
  "coffee", "running", "ml", "gaming", "books",
]
private let bioWords = [
  "lorem", "ipsum", "dolor", "sit", "amet", "consectetur", "adipiscing", "elit", "sed", "do",
  "eiusmod",
  "tempor", "incididunt", "ut", "labore", "et", "dolore", "magna", "aliqua", "enim", "ad", "minim",
  "veniam", "quis", "nostrud", "exercitation", "ullamco", "laboris", "nisi", "aliquip", "ex", "ea",
  "commodo", "consequat", "café", "naïve", "🍣", "🚀", "“quoted”", "tab\there", "\"said\"",
  "line\nbreak", "C:\\path",
]
