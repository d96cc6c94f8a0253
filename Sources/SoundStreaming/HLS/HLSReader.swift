// SPDX-License-Identifier: Apache-2.0

/// Reads a playlist of HTTP Live Streaming line by line.
///
/// Source: RFC 8216, 4.3.
struct HLSReader {
  /// The maximum size of a line in bytes.
  private static let lineLimit = 32 << 10
  /// The maximum media sequence number.
  private static let numberLimit: Int64 = 1 << 62

  private let address: String
  private var line = 0
  private var master = HLSMaster()
  private var media = HLSMedia()
  private var isMaster = false
  private var isMedia = false
  private var number: Int64 = 0
  /// The properties of the next segment or version.
  private var next = Next()
  /// The encryption method of the next segments.
  private var encryption: String?
  private var map: HLSMedia.Resource?
  /// The end of the last byte range of a resource.
  private var lastEnd: HLSMedia.Resource?

  private struct Next {
    var seconds: Double?
    var part: (count: Int64, start: Int64?)?
    var isDiscontinuous = false
    var isGap = false
    var variant: HLSMaster.Variant?
  }

  init(address: String) { self.address = address }

  /// Reads the next line.
  mutating func take(_ bytes: ArraySlice<UInt8>) throws(HLSPlaylist.Fault) {
    line += 1
    guard bytes.count <= Self.lineLimit else {
      throw fault("it is longer than \(Self.lineLimit >> 10) KiB")
    }
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    guard let last = bytes.lastIndex(where: { !isBlank($0) }) else { return }
    let text = String(decoding: bytes[...last].drop(while: isBlank), as: UTF8.self)
    guard text.hasPrefix("#") else { return try takeName(text) }
    guard text.hasPrefix("#EXT") else { return }
    let colon = text.firstIndex(of: ":")
    let value = colon.map { text[text.index(after: $0)...] } ?? ""
    try takeTag(text[..<(colon ?? text.endIndex)].dropFirst(4), value)
  }

  /// Returns the playlist.
  func finish() throws(HLSPlaylist.Fault) -> HLSPlaylist {
    guard isMaster else {
      guard isMedia else {
        throw HLSPlaylist.Fault(line: 0, reason: "it does not contain segments")
      }
      return .media(media)
    }
    guard !master.variants.isEmpty else {
      throw HLSPlaylist.Fault(line: 0, reason: "it does not name a stream with a web address")
    }
    return .master(master)
  }

  private func fault(_ reason: String) -> HLSPlaylist.Fault {
    HLSPlaylist.Fault(line: line, reason: reason)
  }

  private mutating func takeTag(
    _ tag: Substring, _ value: Substring
  ) throws(HLSPlaylist.Fault) {
    switch tag {
    case "INF": next.seconds = try seconds(value.prefix { $0 != "," })
    case "-X-BYTERANGE": next.part = try part(value)
    case "-X-DISCONTINUITY": next.isDiscontinuous = true
    case "-X-GAP": next.isGap = true
    case "-X-KEY":
      let method = HLSAttributes(value)["METHOD"] ?? "unknown"
      encryption = method == "NONE" ? nil : method
    case "-X-MAP": map = try map(HLSAttributes(value))
    case "-X-TARGETDURATION":
      media.targetSeconds = min(3600, max(1, try seconds(value)))
      isMedia = true
    case "-X-MEDIA-SEQUENCE":
      guard media.segments.isEmpty, let first = Int64(value), 0...Self.numberLimit ~= first else {
        throw fault("#EXT-X-MEDIA-SEQUENCE: not a number before the first segment")
      }
      number = first
      isMedia = true
    case "-X-ENDLIST": media.isComplete = true
    case "-X-START": media.start = Self.start(HLSAttributes(value))
    case "-X-I-FRAMES-ONLY": throw fault("pictures without sound")
    case "-X-STREAM-INF": takeVariant(HLSAttributes(value))
    case "-X-MEDIA": takeRendition(HLSAttributes(value))
    default: break
    }
  }

  private static func start(_ attributes: HLSAttributes) -> Double? {
    attributes["TIME-OFFSET"].flatMap { Double($0) }.flatMap { abs($0) < 1e9 ? $0 : nil }
  }

  private func seconds(_ text: Substring) throws(HLSPlaylist.Fault) -> Double {
    let word = text.drop { $0 == " " }.prefix { $0 != " " }
    guard let value = Double(word), value.isFinite, value >= 0 else {
      throw fault("'\(word.prefix(20))': not a duration in seconds")
    }
    return min(value, 86_400)
  }

  /// Reads `COUNT@START`.
  private func part(
    _ text: some StringProtocol
  ) throws(HLSPlaylist.Fault) -> (count: Int64, start: Int64?) {
    let words = text.split(separator: "@", omittingEmptySubsequences: false)
    let range = 0...ReplyHead.byteLimit
    guard words.count <= 2, let count = words.first.flatMap({ Int64($0) }), count > 0,
      range ~= count
    else { throw fault("not a range of bytes") }
    guard words.count == 2 else { return (count, nil) }
    guard let start = Int64(words[1]), range ~= start else { throw fault("not a range of bytes") }
    return (count, start)
  }

  private func resolved(_ name: String) throws(HLSPlaylist.Fault) -> String {
    guard let found = AddressReference.address(name, in: address) else {
      throw fault("names something other than a web address")
    }
    return found
  }

  private func map(_ attributes: HLSAttributes) throws(HLSPlaylist.Fault) -> HLSMedia.Resource {
    guard let name = attributes["URI"] else { throw fault("#EXT-X-MAP: URI is missing") }
    var resource = HLSMedia.Resource(address: try resolved(name))
    if let text = attributes["BYTERANGE"] {
      let part = try part(text)
      resource.part = (part.start ?? 0)..<(part.start ?? 0) + part.count
    }
    return resource
  }

  private mutating func takeName(_ name: String) throws(HLSPlaylist.Fault) {
    defer { next = Next() }
    if var variant = next.variant {
      guard let found = AddressReference.address(name, in: address) else { return }
      guard master.variants.count < HLSPlaylist.entryLimit else { throw tooMany }
      variant.address = found
      return master.variants.append(variant)
    }
    guard let seconds = next.seconds else { return }
    guard media.segments.count < HLSPlaylist.entryLimit else { throw tooMany }
    isMedia = true
    media.segments.append(
      HLSMedia.Segment(
        number: number, resource: try resource(name), seconds: seconds,
        isDiscontinuous: next.isDiscontinuous, isGap: next.isGap, encryption: encryption, map: map))
    number += 1
  }

  private var tooMany: HLSPlaylist.Fault { fault("more than \(HLSPlaylist.entryLimit) entries") }

  private mutating func resource(_ name: String) throws(HLSPlaylist.Fault) -> HLSMedia.Resource {
    var resource = HLSMedia.Resource(address: try resolved(name))
    guard let part = next.part else { return resource }
    // Without a start, the range follows the last one of the same resource.
    let isNext = lastEnd?.address == resource.address
    guard let start = part.start ?? (isNext ? lastEnd?.part?.upperBound : nil),
      start + part.count <= ReplyHead.byteLimit
    else { throw fault("the range of bytes does not state its start") }
    resource.part = start..<start + part.count
    lastEnd = resource
    return resource
  }

  private mutating func takeVariant(_ attributes: HLSAttributes) {
    isMaster = true
    var variant = HLSMaster.Variant(address: "")
    variant.bandwidth = attributes["BANDWIDTH"].flatMap { Int($0) } ?? 0
    variant.codecs =
      attributes["CODECS"]?.split(separator: ",").map { String($0.filter { $0 != " " }) } ?? []
    variant.group = attributes["AUDIO"]
    variant.hasSize = attributes["RESOLUTION"] != nil
    next.variant = variant
  }

  private mutating func takeRendition(_ attributes: HLSAttributes) {
    isMaster = true
    guard attributes["TYPE"] == "AUDIO", let group = attributes["GROUP-ID"],
      master.renditions.count < 1000
    else { return }
    let address = attributes["URI"].flatMap { AddressReference.address($0, in: self.address) }
    let isDefault = attributes["DEFAULT"] == "YES"
    let isAutomatic = attributes["AUTOSELECT"] == "YES"
    master.renditions.append(
      HLSMaster.Rendition(
        group: group, address: address, preference: isDefault ? 2 : isAutomatic ? 1 : 0))
  }
}
