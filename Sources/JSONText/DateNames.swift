/// English names. Formats use either the full name or its first three letters.
package enum DateNames {
  package static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  package static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
  static var shortWeekdays: StaticString { "SunMonTueWedThuFriSat" }
  static var shortMonths: StaticString { "JanFebMarAprMayJunJulAugSepOctNovDec" }
}
