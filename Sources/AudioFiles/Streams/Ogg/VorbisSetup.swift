// SPDX-License-Identifier: Apache-2.0

/// The block sizes of the modes in a Vorbis setup header.
///
/// Each packet states its mode, so its duration is known without decoding it. The modes are at the
/// end of the header, after parts whose lengths depend on their contents.
///
/// Source: Vorbis I specification, sections 3.2.1 and 4.2.4.
struct VorbisSetup {
  /// For each mode, true if its blocks are long.
  let isLong: [Bool]

  /// Reads a setup header; nil if it is damaged.
  ///
  /// - Complexity: O(n) in the number of bits.
  init?(_ packet: [UInt8], channelCount: Int) {
    guard packet.starts(with: [5] + Array("vorbis".utf8)) else { return nil }
    var parser = Parser(bits: LowBitReader(packet.dropFirst(7)), channelCount: channelCount)
    guard let modes = parser.modes() else { return nil }
    isLong = modes
  }
}

extension VorbisSetup {
  fileprivate struct Parser {
    var bits: LowBitReader
    let channelCount: Int

    mutating func modes() -> [Bool]? {
      guard repeated(8, { $0.codebook() }) != nil,
        repeated(6, { $0.bits.skip(16) }) != nil,
        repeated(6, { $0.floor() }) != nil,
        repeated(6, { $0.residue() }) != nil,
        repeated(6, { $0.mapping() }) != nil,
        let modes = repeated(6, { $0.mode() }), bits.flag() == true
      else { return nil }
      return modes
    }

    /// Reads a count and that number of elements; nil if an element is damaged.
    private mutating func repeated<Element>(
      _ countBits: Int, _ element: (inout Parser) -> Element?
    ) -> [Element]? {
      guard let last = bits.read(countBits) else { return nil }
      var elements: [Element] = []
      for _ in 0...last {
        guard let next = element(&self) else { return nil }
        elements.append(next)
      }
      return elements
    }

    private mutating func mode() -> Bool? {
      let isLong = bits.flag()
      return bits.skip(40) == nil ? nil : isLong
    }

    /// The number of bits of a number.
    private func width(_ number: Int) -> Int { Int.bitWidth - number.leadingZeroBitCount }
  }
}

extension VorbisSetup.Parser {
  fileprivate mutating func codebook() -> Void? {
    guard bits.read(24) == 0x56_4342, let dimensions = bits.read(16), dimensions > 0,
      let entries = bits.read(24), let isOrdered = bits.flag(),
      (isOrdered ? orderedLengths(entries) : lengths(entries)) != nil,
      let lookup = bits.read(4), lookup <= 2
    else { return nil }
    guard lookup > 0 else { return () }
    guard bits.skip(64) != nil, let last = bits.read(4), bits.skip(1) != nil else { return nil }
    let count = lookup == 1 ? root(of: entries, dimensions) : entries * dimensions
    return bits.skip(count * (last + 1))
  }

  private mutating func lengths(_ entries: Int) -> Void? {
    guard let isSparse = bits.flag() else { return nil }
    guard isSparse else { return bits.skip(5 * entries) }
    for _ in 0..<entries {
      guard let isUsed = bits.flag(), bits.skip(isUsed ? 5 : 0) != nil else { return nil }
    }
    return ()
  }

  private mutating func orderedLengths(_ entries: Int) -> Void? {
    guard bits.skip(5) != nil else { return nil }
    var done = 0
    while done < entries {
      guard let count = bits.read(width(entries - done)) else { return nil }
      done += count
    }
    return done == entries ? () : nil
  }

  /// The largest integer whose power does not exceed a number.
  private func root(of number: Int, _ exponent: Int) -> Int {
    if exponent == 1 { return number }
    var root = 0
    while power(root + 1, exponent, isAtMost: number) { root += 1 }
    return root
  }

  private func power(_ base: Int, _ exponent: Int, isAtMost limit: Int) -> Bool {
    if base == 1 { return limit >= 1 }
    var power = 1
    for _ in 0..<exponent {
      power *= base
      if power > limit { return false }
    }
    return true
  }

  fileprivate mutating func floor() -> Void? {
    switch bits.read(16) {
    case 0:
      guard bits.skip(54) != nil, let last = bits.read(4) else { return nil }
      return bits.skip(8 * (last + 1))
    case 1: return floorOfLines()
    default: return nil
    }
  }

  private mutating func floorOfLines() -> Void? {
    guard let count = bits.read(5) else { return nil }
    var classes: [Int] = []
    for _ in 0..<count {
      guard let next = bits.read(4) else { return nil }
      classes.append(next)
    }
    var sizes: [Int] = []
    for _ in 0..<((classes.max() ?? -1) + 1) {
      guard let last = bits.read(3), let subclasses = bits.read(2),
        bits.skip((subclasses > 0 ? 8 : 0) + 8 << subclasses) != nil
      else { return nil }
      sizes.append(last + 1)
    }
    guard bits.skip(2) != nil, let width = bits.read(4) else { return nil }
    return bits.skip(classes.reduce(0) { $0 + sizes[$1] * width })
  }

  fileprivate mutating func residue() -> Void? {
    guard let kind = bits.read(16), kind <= 2, bits.skip(72) != nil, let last = bits.read(6),
      bits.skip(8) != nil
    else { return nil }
    var books = 0
    for _ in 0...last {
      guard let low = bits.read(3), let hasMore = bits.flag(),
        let high = hasMore ? bits.read(5) : 0
      else { return nil }
      books += low.nonzeroBitCount + high.nonzeroBitCount
    }
    return bits.skip(8 * books)
  }

  fileprivate mutating func mapping() -> Void? {
    guard bits.read(16) == 0, let hasSubmaps = bits.flag(),
      let last = hasSubmaps ? bits.read(4) : 0, let hasCoupling = bits.flag(),
      let steps = hasCoupling ? bits.read(8).map({ $0 + 1 }) : 0,
      bits.skip(2 * steps * width(channelCount - 1)) != nil, bits.read(2) == 0
    else { return nil }
    return bits.skip((last > 0 ? 4 * channelCount : 0) + 24 * (last + 1))
  }
}
