// SPDX-License-Identifier: Apache-2.0

/// A master playlist of HTTP Live Streaming, which lists several versions of the same content.
///
/// Source: RFC 8216, 4.3.4; codecs by RFC 6381.
package struct HLSMaster: Hashable, Sendable {
  /// A version of the content.
  package struct Variant: Hashable, Sendable {
    /// The web address of the media playlist.
    package var address: String
    /// The peak bitrate in bits per second; 0 if it is not stated.
    package var bandwidth = 0
    /// The codecs, such as `mp4a.40.2`; empty if they are not stated.
    package var codecs: [String] = []
    /// The group of renditions that contains the sound; nil if the variant contains it.
    package var group: String?
    /// True if a picture size is stated.
    package var hasSize = false
  }

  /// A separate stream with the sound.
  package struct Rendition: Hashable, Sendable {
    /// The name of the group.
    package var group: String
    /// The web address of the media playlist; nil if the sound is in the variant.
    package var address: String?
    /// The author's preference: 2 for the default, 1 for automatic selection, otherwise 0.
    package var preference = 0
  }

  /// The maximum number of versions that are tried.
  private static let limit = 8
  /// The maximum bitrate at which a stream is assumed to be sound only, in bits per second.
  private static let soundBandwidth = 1_000_000

  /// The versions in the order of the playlist.
  package var variants: [Variant] = []
  /// The separate streams with sound.
  package var renditions: [Rendition] = []

  /// A media playlist and its rank.
  private struct Candidate {
    var address: String
    var codecRank: Int
    var hasPicture: Bool
    var bandwidth: Int
    var preference: Int
  }

  /// The addresses of the media playlists with sound, best first.
  ///
  /// Codecs that can be decoded precede others, and sound without a picture precedes sound with
  /// one. Among these, the highest bitrate is first without a picture, and the lowest with one.
  package var soundAddresses: [String] {
    let found = variants.flatMap(candidates).filter { $0.codecRank > 0 }.enumerated()
    let sorted = found.sorted { one, other in
      let (a, b) = (one.element, other.element)
      if a.codecRank != b.codecRank { return a.codecRank > b.codecRank }
      if a.hasPicture != b.hasPicture { return !a.hasPicture }
      if a.bandwidth != b.bandwidth { return (a.bandwidth > b.bandwidth) != a.hasPicture }
      return a.preference == b.preference
        ? one.offset < other.offset : a.preference > b.preference
    }
    var addresses: [String] = []
    for address in sorted.map(\.element.address) where !addresses.contains(address) {
      addresses.append(address)
    }
    return Array(addresses.prefix(Self.limit))
  }

  private func candidates(of variant: Variant) -> [Candidate] {
    let rank = Self.codecRank(variant.codecs)
    let separate = renditions.filter { $0.group == variant.group && $0.address != nil }
    guard separate.isEmpty else {
      return separate.compactMap { rendition in
        rendition.address.map {
          Candidate(
            address: $0, codecRank: rank, hasPicture: false, bandwidth: variant.bandwidth,
            preference: rendition.preference)
        }
      }
    }
    let isWide = variant.codecs.isEmpty && variant.bandwidth > Self.soundBandwidth
    let hasPicture = variant.hasSize || isWide || variant.codecs.contains { Self.isPicture($0) }
    return [
      Candidate(
        address: variant.address, codecRank: rank, hasPicture: hasPicture,
        bandwidth: variant.bandwidth, preference: 0)
    ]
  }

  /// 2 for codecs that can be decoded or are not stated, 1 for AC-3, 0 without sound.
  private static func codecRank(_ codecs: [String]) -> Int {
    guard !codecs.isEmpty else { return 2 }
    let names = codecs.map { $0.lowercased() }
    if names.contains(where: { $0.hasPrefix("mp4a") || $0 == "mp3" }) { return 2 }
    if names.contains(where: { ["flac", "opus", "alac"].contains($0) }) { return 2 }
    return names.contains { $0.hasPrefix("ac-3") || $0.hasPrefix("ec-3") } ? 1 : 0
  }

  private static func isPicture(_ codec: String) -> Bool {
    let marks = ["avc", "hvc", "hev", "dvh", "dva", "vp0", "vp8", "vp9", "av01", "mp4v"]
    return marks.contains { codec.lowercased().hasPrefix($0) }
  }
}
