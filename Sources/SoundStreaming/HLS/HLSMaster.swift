// SPDX-License-Identifier: Apache-2.0

/// A master playlist of HTTP Live Streaming: the same content in several versions.
///
/// Source: RFC 8216, 4.3.4; codecs by RFC 6381.
package struct HLSMaster: Hashable, Sendable {
  /// A version of the content.
  package struct Variant: Hashable, Sendable {
    /// The web address of the media playlist.
    package var address: String
    /// The peak bit rate in bits per second; 0 if it is not stated.
    package var bandwidth = 0
    /// The codecs, such as `mp4a.40.2`; empty if they are not stated.
    package var codecs: [String] = []
    /// The group of renditions that contains the sound; nil if the variant itself does.
    package var group: String?
    /// True if a picture size is stated.
    package var hasSize = false
  }

  /// A separate stream with the sound.
  package struct Rendition: Hashable, Sendable {
    /// The group.
    package var group: String
    /// The web address of the media playlist; nil if the sound is in the variant.
    package var address: String?
    /// The preference of the author: 2 for the default, 1 for automatic selection, else 0.
    package var preference = 0
  }

  /// The most versions that are tried.
  private static let limit = 8
  /// The highest bit rate that sound alone is assumed to have, in bits per second.
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

  /// The media playlists with the sound, the best first.
  ///
  /// First are codecs that can be decoded, then sound without a picture. Of these the highest bit rate
  /// is best, and with a picture the lowest.
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

  /// 2 for codecs that can be decoded, and those that are not stated; 1 for AC-3; 0 without sound.
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
