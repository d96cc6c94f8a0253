// SPDX-License-Identifier: Apache-2.0

/// A file format for uncompressed samples.
public enum SampleContainer: String, Hashable, Sendable, CaseIterable {
  /// RIFF/WAVE, up to 4 GB.
  case wave
  /// WAVE with 64-bit sizes (EBU Tech 3306).
  case rf64
  /// Sony's WAVE with 64-bit sizes.
  case wave64
  /// AIFF, up to 4 GB.
  case aiff
  /// AIFF-C, up to 4 GB.
  case aifc
  /// AU, also called SND, up to 4 GB.
  case au
  /// Core Audio Format.
  case caf

  /// Returns true if the container can store samples of a layout.
  ///
  /// A layout is supported only if samples use all bits of their bytes.
  ///
  /// - Parameter layout: The layout of the samples.
  /// - Returns: True if the container supports the kind of number, the width and the byte order.
  public func holds(_ layout: PCMLayout) -> Bool {
    let isWhole = layout.bits == 8 * layout.byteCount
    let isBig = !layout.isLittleEndian || layout.byteCount == 1
    let isLittle = layout.isLittleEndian || layout.byteCount == 1
    switch layout.numbers {
    case .muLaw, .aLaw: return layout.byteCount == 1 && self != .aiff
    case .unsigned: return layout.byteCount == 1 && isWhole && (isRiff || self == .aifc)
    case .signed:
      guard isWhole, (1...4).contains(layout.byteCount) else { return false }
      return isRiff
        ? isLittle && layout.byteCount > 1
        : isBig || self == .caf || self == .aifc && layout.byteCount == 2
    case .floating:
      guard [4, 8].contains(layout.byteCount), isWhole else { return false }
      return isRiff ? isLittle : self == .caf || isBig && self != .aiff
    }
  }

  /// True for the three variants of WAVE.
  var isRiff: Bool { [.wave, .rf64, .wave64].contains(self) }

  /// Detects the container from the first bytes of a file; nil for another one.
  init?(beginning head: [UInt8]) {
    guard case .found(let found) = PCMContainer.search(at: head[...]) else { return nil }
    switch found {
    case .wave: self = head[0] == UInt8(ascii: "R") && head[1] == UInt8(ascii: "I") ? .wave : .rf64
    case .waveBig: self = .wave
    case .wave64: self = .wave64
    case .aiff: self = head[11] == UInt8(ascii: "C") ? .aifc : .aiff
    case .au, .auLittle: self = .au
    case .caf: self = .caf
    }
  }
}
