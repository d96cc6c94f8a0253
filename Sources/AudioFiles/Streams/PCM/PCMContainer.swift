// SPDX-License-Identifier: Apache-2.0

/// The containers of PCM, detected by their first bytes.
///
/// Sources: RIFF/WAVE, EBU Tech 3306 (RF64), ITU-R BS.2088 (BW64), Sony Wave64, AIFF-C, the AU
/// format of Sun, Apple's Core Audio Format 1.0.
enum PCMContainer: Sendable {
  case wave, waveBig, wave64, aiff, au, auLittle, caf

  /// The maximum number of bytes needed to detect the container.
  static let signatureByteCount = 40

  private static let wave64Signature =
    Array("riff".utf8)
    + [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0, 0]
  private static let wave64Form =
    Array("wave".utf8)
    + [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]

  /// The containers, with the bytes of each at its start and at another position.
  private static let signatures: [(PCMContainer, [UInt8], Int, [UInt8])] = [
    (.wave, Array("RIFF".utf8), 8, Array("WAVE".utf8)),
    (.wave, Array("RF64".utf8), 8, Array("WAVE".utf8)),
    (.wave, Array("BW64".utf8), 8, Array("WAVE".utf8)),
    (.waveBig, Array("RIFX".utf8), 8, Array("WAVE".utf8)),
    (.aiff, Array("FORM".utf8), 8, Array("AIFF".utf8)),
    (.aiff, Array("FORM".utf8), 8, Array("AIFC".utf8)),
    (.au, Array(".snd".utf8), 0, []), (.auLittle, Array("dns.".utf8), 0, []),
    (.caf, Array("caff".utf8), 4, [0, 1]), (.wave64, wave64Signature, 24, wave64Form),
  ]

  /// The result of a comparison with the signatures.
  enum Search {
    case found(PCMContainer)
    /// More bytes are needed.
    case incomplete
    case nothing
  }

  /// Compares the first bytes with the signatures.
  static func search(at bytes: ArraySlice<UInt8>) -> Search {
    var isOpen = false
    for (container, head, place, form) in signatures {
      switch matches(bytes, head, at: 0).and({ matches(bytes, form, at: place) }) {
      case true?: return .found(container)
      case nil: isOpen = true
      case false?: break
      }
    }
    return isOpen ? .incomplete : .nothing
  }

  /// Compares bytes with a pattern; nil if they end within it.
  private static func matches(
    _ bytes: ArraySlice<UInt8>, _ pattern: [UInt8], at place: Int
  ) -> Bool? {
    let found = bytes.dropFirst(place).prefix(pattern.count)
    guard found.elementsEqual(pattern.prefix(found.count)) else { return false }
    return found.count == pattern.count ? true : nil
  }

  /// True if numbers are little-endian.
  var isLittleEndian: Bool { self == .wave || self == .wave64 || self == .auLittle }

  /// The number of bytes before the first chunk; 0 for AU, which does not have chunks.
  var headByteCount: Int {
    switch self {
    case .wave, .waveBig, .aiff: 12
    case .wave64: 40
    case .caf: 8
    case .au, .auLittle: 0
    }
  }

  /// The kind of stream.
  var kind: SoundStream.Kind {
    switch self {
    case .wave, .waveBig, .wave64: .wave
    case .aiff: .aiff
    case .au, .auLittle: .au
    case .caf: .caf
    }
  }
}

extension Bool? {
  /// False if either value is false, else nil if either is nil.
  fileprivate func and(_ other: () -> Bool?) -> Bool? {
    guard let self else { return other() == false ? false : nil }
    return self ? other() : false
  }
}
