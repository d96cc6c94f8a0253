// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SongPictures

@Suite struct AxisTests {
  @Test(arguments: [
    (0.01, 10, 0.001), (1.0, 10, 0.1), (3, 10, 0.5), (7, 10, 1), (60, 15, 5), (200, 16, 15),
    (7200, 16, 600), (86400, 10, 18000), (1e6, 10, 172800),
  ])
  func `times are marked at round numbers, and not too many`(
    span: Double, most: Int, step: Double
  ) {
    #expect(AxisSteps.seconds(for: span, atMost: most) == step)
  }

  @Test(arguments: [
    (0.0, 1.0, "0:00"), (65, 5, "1:05"), (3725, 60, "1:02:05"), (1.25, 0.05, "0:01.25"),
    (59.9, 0.1, "0:59.9"), (0.125, 0.001, "0:00.125"), (359_999, 1, "99:59:59"),
  ])
  func `a time shows hours and decimals only when needed`(
    seconds: Double, step: Double, text: String
  ) {
    #expect(AxisSteps.clock(seconds, step: step) == text)
  }

  @Test func `values are marked at 1, 2 and 5 with zeros`() {
    #expect(AxisSteps.values(in: 108...132, atMost: 4) == [110, 120, 130])
    #expect(AxisSteps.values(in: 0...1, atMost: 5) == [0, 0.2, 0.4, 0.6000000000000001, 0.8, 1])
    #expect(AxisSteps.values(in: 5...5, atMost: 4).isEmpty)
    #expect(AxisSteps.values(in: 0.1...1e9, atMost: 4).count <= 5)
  }

  @Test func `the marks of an axis are within it and do not overlap`() {
    for end in [0.003, 0.5, 1, 12, 200, 7200, 1e6] {
      let axis = TimeAxis(0, end, left: 100, width: 800)
      let marks = axis.marks()
      #expect((2...14).contains(marks.count), "\(end)")
      for (first, second) in zip(marks, marks.dropFirst()) {
        #expect(axis.x(second.seconds) - axis.x(first.seconds) >= 60)
        #expect(first.text != second.text)
      }
      #expect(marks.allSatisfy { (100...900).contains(axis.x($0.seconds)) })
    }
  }

  @Test func `an axis without length is a second long`() {
    let axis = TimeAxis(5, 5, left: 0, width: 10)
    #expect(axis.end == 6)
    #expect(axis.x(-.infinity) == 0)
    #expect(axis.x(1e300) == 10)
  }
}
