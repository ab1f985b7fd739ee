/// English names, of which formats use the first three letters or all.
enum DateNames {
  static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
  static var shortWeekdays: StaticString { "SunMonTueWedThuFriSat" }
  static var shortMonths: StaticString { "JanFebMarAprMayJunJulAugSepOctNovDec" }
}
