// SPDX-License-Identifier: Apache-2.0

extension FrameRate {
  /// Creates a rate from its name, such as `25`, `29.97`, `23.98` or `30000/1001`.
  ///
  /// The name of a drop-frame rate ends with `d`, `df` or `drop`; `nd` or `ndf` explicitly means a
  /// rate without drop-frame.
  ///
  /// - Throws: `TimeError.unknownRate`.
  public init(parsing text: Span<UInt8>) throws(TimeError) {
    var scanner = TextScanner(text)
    self = try scanner.frameRate()
    guard scanner.isAtEnd else { throw .unknownRate(scanner.text) }
  }

  /// Creates a rate from its name, such as `25`, `29.97` or `29.97df`.
  ///
  /// - Throws: `TimeError.unknownRate`.
  public init(parsing text: String) throws(TimeError) {
    try self.init(parsing: Array(text.utf8).span)
  }

  /// The drop-frame rate of the same speed, or nil if the speed does not have one.
  public var dropped: FrameRate? {
    FrameRate.allCases.first {
      $0.isDrop && $0.nominal == nominal && $0.isSlowed == isSlowed
    }
  }

  /// The non-drop-frame rate with an exact speed or the number in its name.
  private init?(number: Ratio) {
    let rate = FrameRate.allCases.first { rate in
      !rate.isDrop && (rate.framesPerSecond == number || rate.labelNumber == number)
    }
    guard let rate else { return nil }
    self = rate
  }

  /// The number in the rate's name.
  private var labelNumber: Ratio {
    guard isSlowed else { return Ratio(Int64(nominal)) }
    switch nominal {
    case 24: return Ratio(23976, over: 1000)
    case 25: return Ratio(2498, over: 100)
    case 30: return Ratio(2997, over: 100)
    case 48: return Ratio(47952, over: 1000)
    case 60: return Ratio(5994, over: 100)
    case 96: return Ratio(95904, over: 1000)
    default: return Ratio(11988, over: 100)
    }
  }

  fileprivate static func named(_ number: Ratio) -> FrameRate? {
    number == Ratio(2398, over: 100) ? .fps23976 : FrameRate(number: number)
  }
}

extension TextScanner {
  /// Reads a frame rate.
  mutating func frameRate() throws(TimeError) -> FrameRate {
    guard isAtDigit, let rate = FrameRate.named(try ratio()) else { throw .unknownRate(text) }
    if take("ndf") || take("nd") { return rate }
    guard take("drop") || take("df") || take("d") else { return rate }
    guard let dropped = rate.dropped else { throw .unknownRate(text) }
    return dropped
  }
}
