// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PlayerControl

@Suite struct LengthTextTests {
  @Test(arguments: [
    (2.94, "0:02.9"), (2.96, "0:03"), (0, "0:00"), (0.04, "0:00"), (0.05, "0:00.1"), (9, "0:09"),
    (9.94, "0:09.9"), (9.96, "0:10"), (10.9, "0:10"), (59.99, "0:59"), (171, "2:51"),
    (3723.5, "1:02:03"), (-1, "0:00"), (.infinity, "0:00"), (.nan, "0:00"),
  ])
  func `a length below ten seconds has tenths, and a longer one whole seconds`(
    seconds: Double, text: String
  ) {
    #expect(seconds.lengthText == text)
  }
}
