// SPDX-License-Identifier: Apache-2.0

/// A compressed sample, which is checked without decoding it.
///
/// Every Ogg page and FLAC frame has a checksum, so damage is detected.
///
/// Source: RFC 3533 (Ogg), section 6.
package struct EncodedStream {
  /// The number of bytes at the end of a stream that contain its length.
  package static let tailLength = OggPage.longest

  private let bytes: [UInt8]

  /// Creates a value from a whole stream.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The number of frames that a stream states.
  ///
  /// It is 0 if the stream is not mono, its codec or length is unknown, or it does not have enough
  /// bytes for this number.
  ///
  /// - Parameters:
  ///   - head: The first `EncodedHead.length` bytes of the stream, or all.
  ///   - tail: The last `tailLength` bytes of the stream, or all.
  ///   - byteCount: The number of bytes of the whole stream.
  /// - Returns: The number of frames.
  package static func frameCount(head: [UInt8], tail: [UInt8], byteCount: Int) -> Int {
    guard let head = EncodedHead(head), head.channelCount == 1,
      let count = head.frameCount(tail: tail),
      count <= head.codec.frameLimit(inBytes: byteCount)
    else { return 0 }
    return count
  }

  /// Returns the reason why the stream cannot be decoded, or nil.
  ///
  /// - Parameters:
  ///   - loopEnd: The end of the sample's loop in frames; the stream must contain it.
  ///   - codecs: The codecs that can be decoded.
  /// - Returns: A sentence without its subject, the sample; or nil.
  /// - Complexity: O(n) in the bytes.
  package func fault(loopEnd: Int, codecs: Set<SampleCodec>) -> String? {
    if bytes.starts(with: "OggS".utf8), let fault = pageFault() { return fault }
    guard let head = EncodedHead(bytes) else { return "it is not Ogg Vorbis, Ogg Opus or FLAC" }
    guard head.channelCount == 1 else { return "it has \(head.channelCount) channels, expected 1" }
    guard codecs.contains(head.codec) else {
      return "its codec is \(head.codec.rawValue), which libsndfile cannot decode here "
        + "(install libsndfile 1.0.29 or later)"
    }
    let claim = head.frameCount(tail: bytes)
    if !head.isOgg, let fault = frameFault(claim: claim) { return fault }
    guard let claim else { return "its length is not known" }
    guard claim > 0 else { return "it contains no sound" }
    guard claim <= head.codec.frameLimit(inBytes: bytes.count) else {
      return "it claims \(claim) frames, more than \(bytes.count) bytes can hold"
    }
    return claim >= loopEnd
      ? nil : "its loop ends at frame \(loopEnd), after its last frame \(claim)"
  }

  private func pageFault() -> String? {
    var place = 0
    var pages = 0
    var serial: UInt64?
    while place < bytes.count {
      guard let page = OggPage(bytes, at: place) else {
        return "its Ogg page at byte \(place) is damaged"
      }
      guard page.isIntact(bytes) else {
        return "its Ogg page at byte \(place) has a wrong checksum"
      }
      guard page.serial == serial ?? page.serial else {
        return "it contains more than one Ogg stream"
      }
      serial = page.serial
      pages += 1
      place = page.range.upperBound
    }
    return pages > 1 ? nil : "it contains no sound"
  }

  private func frameFault(claim: Int?) -> String? {
    let survey = FLACFrames(bytes).survey
    if let place = survey.damage { return "its FLAC data at byte \(place) is damaged" }
    guard let claim, claim != survey.count else { return nil }
    return "its head claims \(claim) frames, but it contains \(survey.count)"
  }

  /// The stream as native FLAC, with its length in the header; nil if it is not FLAC in Ogg.
  ///
  /// libsndfile reads native FLAC only. In Ogg, each packet is a metadata block or a FLAC frame.
  ///
  /// Source: RFC 9639, section 10.1.
  package var unwrapped: [UInt8]? {
    guard let head = EncodedHead(bytes), head.codec == .flac, head.isOgg else { return nil }
    var native: [UInt8] = []
    native.reserveCapacity(bytes.count)
    var place = 0
    while let page = OggPage(bytes, at: place) {
      native += bytes[place == 0 ? head.start..<page.body.upperBound : page.body]
      place = page.range.upperBound
    }
    let length = head.frameCount(tail: bytes) ?? 0
    native[21] = native[21] & 0xF0 | UInt8(truncatingIfNeeded: length >> 32) & 0x0F
    for index in 0..<4 {
      native[22 + index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * index))
    }
    return native
  }
}
