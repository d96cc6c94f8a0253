// SPDX-License-Identifier: Apache-2.0
import TOMLText
import Testing

/// By TOML 1.0.0, Integer and Float.
@Suite struct TOMLNumberTests {
  private func read(_ text: String) throws -> TOMLValue? {
    try TOMLReader.read(Array("a = \(text)".utf8)).first?.value
  }

  @Test(arguments: [
    ("+99", TOMLValue.integer(99)), ("42", .integer(42)), ("0", .integer(0)),
    ("-17", .integer(-17)),
    ("+0", .integer(0)), ("-0", .integer(0)), ("1_000", .integer(1000)),
    ("5_349_221", .integer(5_349_221)), ("53_49_221", .integer(5_349_221)),
    ("1_2_3_4_5", .integer(12345)), ("0xDEADBEEF", .integer(0xDEAD_BEEF)),
    ("0xdeadbeef", .integer(0xDEAD_BEEF)), ("0xdead_beef", .integer(0xDEAD_BEEF)),
    ("0o01234567", .integer(0o1234567)), ("0o755", .integer(0o755)), ("0b11010110", .integer(214)),
    ("0x00_ff", .integer(255)), ("0x0", .integer(0)), ("9223372036854775807", .integer(.max)),
    ("-9223372036854775808", .integer(.min)), ("0x7fffffffffffffff", .integer(.max)),
    ("+1.0", .decimal("+1.0")), ("3.1415", .decimal("3.1415")), ("-0.01", .decimal("-0.01")),
    ("5e+22", .decimal("5e+22")), ("1e06", .decimal("1e06")), ("-2E-2", .decimal("-2E-2")),
    ("6.626e-34", .decimal("6.626e-34")), ("224_617.445_991_228", .decimal("224617.445991228")),
    ("0.0", .decimal("0.0")), ("-0.0", .decimal("-0.0")), ("0e0", .decimal("0e0")),
    ("1.00_5e1_0", .decimal("1.005e10")), ("inf", .decimal("inf")), ("+inf", .decimal("+inf")),
    ("-inf", .decimal("-inf")), ("nan", .decimal("nan")), ("+nan", .decimal("+nan")),
    ("-nan", .decimal("-nan")), ("1e-400", .decimal("1e-400")),
  ])
  func `numbers of TOML 1.0 are read`(text: String, value: TOMLValue) throws {
    #expect(try read(text) == value)
  }

  @Test(arguments: [
    ("0128", "zeros at the start are not allowed (write 128)"),
    ("+01", "zeros at the start are not allowed (write +1)"),
    ("-007", "zeros at the start are not allowed (write -7)"),
    ("00", "zeros at the start are not allowed (write 0)"),
    ("03.14", "zeros at the start are not allowed (write 3.14)"),
    ("0_1", "zeros at the start are not allowed (write 1)"),
    ("00e1", "zeros at the start are not allowed (write 0e1)"),
    ("1__28", "underscores are only allowed between digits (write 128)"),
    ("_1", "underscores are only allowed between digits (write 1)"),
    ("1_", "underscores are only allowed between digits (write 1)"),
    ("+_1", "underscores are only allowed between digits (write +1)"),
    ("0x_1", "underscores are only allowed between digits (write 0x1)"),
    ("0x1_", "underscores are only allowed between digits (write 0x1)"),
    ("0_x1", "underscores are only allowed between digits (write 0x1)"),
    ("0xd__e", "underscores are only allowed between digits (write 0xde)"),
    ("1_.5", "underscores are only allowed between digits (write 1.5)"),
    ("1._5", "underscores are only allowed between digits (write 1.5)"),
    ("1.5_", "underscores are only allowed between digits (write 1.5)"),
    ("1_e5", "underscores are only allowed between digits (write 1e5)"),
    ("1e_5", "underscores are only allowed between digits (write 1e5)"),
    ("1e5_", "underscores are only allowed between digits (write 1e5)"),
    ("+0x1", "a sign is not allowed before 0x (write 0x1)"),
    ("-0xff", "a sign is not allowed before 0x (write -255)"),
    ("-0o17", "a sign is not allowed before 0o (write -15)"),
    ("+0b1", "a sign is not allowed before 0b (write 0b1)"),
    ("0XFF", "0x must be lower case (write 0xff)"),
    ("0O7", "0o must be lower case (write 0o7)"),
    ("0B1", "0b must be lower case (write 0b1)"),
    (".7", "a point needs digits on both sides (write 0.7)"),
    ("7.", "a point needs digits on both sides (write 7.0)"),
    ("-.5", "a point needs digits on both sides (write -0.5)"),
    ("3.e+20", "a point needs digits on both sides (write 3.0e+20)"),
    (".e1", "not a value (write \".e1\" for a string)"),
    ("1e", "digits are missing after e (write 1)"),
    ("1.5e+", "digits are missing after e (write 1.5)"),
    ("Inf", "must be lower case (write inf)"),
    ("-NaN", "must be lower case (write -nan)"),
    ("9223372036854775808", "too large (at most 9223372036854775807)"),
    ("-9223372036854775809", "too large (at most 9223372036854775807)"),
    ("0x8000000000000000", "too large (at most 9223372036854775807)"),
    ("1e400", "too large (at most 1.79e308)"), ("0x", "not a value (write \"0x\" for a string)"),
    ("0b12", "not a value (write \"0b12\" for a string)"),
    ("0o8", "not a value (write \"0o8\" for a string)"),
    ("0xg", "not a value (write \"0xg\" for a string)"),
    ("++1", "not a value (write \"++1\" for a string)"),
    ("1+", "not a value (write \"1+\" for a string)"),
    ("-", "not a value (write \"-\" for a string)"),
    (".", "not a value (write \".\" for a string)"),
    ("_", "not a value (write \"_\" for a string)"),
    ("e5", "not a value (write \"e5\" for a string)"),
    ("1.2.3", "not a value (write \"1.2.3\" for a string)"),
    ("1e5.5", "not a value (write \"1e5.5\" for a string)"),
    ("1e2e3", "not a value (write \"1e2e3\" for a string)"),
    ("1e+-5", "not a value (write \"1e+-5\" for a string)"),
    ("infinity", "not a value (write \"infinity\" for a string)"),
    ("1dB", "not a value (write \"1dB\" for a string)"),
    ("1979-05-27", "dates and times are not supported (write \"1979-05-27\" for a string)"),
    (
      "1979-05-27T07:32:00Z",
      "dates and times are not supported (write \"1979-05-27T07:32:00Z\" for a string)"
    ),
    ("07:32:00.5", "dates and times are not supported (write \"07:32:00.5\" for a string)"),
  ])
  func `what is nearly a number is an error with the number to write`(
    text: String, reason: String
  ) throws {
    let error = #expect(throws: TOMLError.self) { try read(text) }
    #expect(error?.description == "line 1: \(text): \(reason)")
    guard let advice = reason.split(separator: "(write ").last, advice != reason[...] else {
      return
    }
    #expect(throws: Never.self) {
      try read(String(advice.dropLast(reason.hasSuffix("string)") ? 14 : 1)))
    }
  }
}
