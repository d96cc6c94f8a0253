// SPDX-License-Identifier: Apache-2.0
package import AudioFiles

/// The properties of the sound at an address, from its first bytes.
package struct AddressSurvey: Sendable {
  /// The address in messages.
  package let name: String
  /// The container.
  package let kind: SoundStream.Kind
  /// The layers with which the sound can be decoded, best first.
  package let layers: [SoundLayer]
  /// The number of frames of sound at the rate of the first layer; nil for a broadcast.
  package let frameCount: Int64?
  /// True if that number is an estimate.
  package let isEstimated: Bool
  /// The bitrate in bits per second; nil if it is unknown.
  package let bitrate: Int?
  /// The tags at the start, and for a station its name and genre.
  package let tags: [SoundFileMetadata.Tag: String]
  /// True if the sound is endless.
  package let isLive: Bool

  init?(
    _ stream: SoundStream, layer: SoundLayer?, tags: [SoundFileMetadata.Tag: String],
    of source: any StreamSource, _ reply: HTTPReply?
  ) {
    guard let properties = stream.properties else { return nil }
    let traits = source.traits
    let measured = Int(stream.bitrate.bitsPerSecond.rounded())
    name = source.name
    kind = properties.kind
    isLive = traits.isLive
    let first = layer ?? properties.layers[0]
    layers = [first] + properties.layers.filter { $0 != first && $0.codec != first.codec }
    let scale = Double(first.hertz) / Double(max(1, properties.hertz))
    let count = traits.isLive ? nil : stream.frameCount
    let stated = traits.isLive ? nil : traits.seconds.map { $0 * Double(first.hertz) }
    let counted = count.map { Double($0.value) * scale }
    frameCount = (stated ?? counted).map { Int64(min(0x1p60, $0.rounded())) }
    isEstimated = stated != nil || count?.isEstimated ?? false
    bitrate = traits.nominalBitrate ?? properties.nominalBitrate ?? (measured > 0 ? measured : nil)
    var all = tags
    if let name = reply?.name, all[.title] == nil { all[.title] = name }
    if let genre = reply?.genre, all[.genre] == nil { all[.genre] = genre }
    self.tags = all
  }
}
