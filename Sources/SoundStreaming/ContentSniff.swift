// SPDX-License-Identifier: Apache-2.0

/// Detects content that is not sound, from the media type and the first bytes.
enum ContentSniff {
  /// The number of bytes that are examined.
  static let byteCount = 64

  /// The kind of content of a media type that cannot be sound; nil if it can.
  ///
  /// Many servers send `application/octet-stream` or `text/plain` for sound.
  static func foreignKind(type: String?) -> ForeignContent? {
    switch type {
    case "text/html", "application/xhtml+xml": .webPage
    case "audio/x-mpegurl", "audio/mpegurl", "application/x-mpegurl",
      "application/vnd.apple.mpegurl", "audio/x-scpls", "application/pls+xml",
      "application/xspf+xml", "video/x-ms-asf", "audio/x-ms-asx", "video/x-ms-asx":
      type == "video/x-ms-asf" ? nil : .addressList
    case let type? where type.hasPrefix("image/"): .picture
    case "application/json", "application/xml", "text/xml", "text/css", "text/javascript":
      .text
    default: nil
    }
  }

  /// The kind of content whose first bytes cannot be sound; nil if they can.
  static func foreignKind(beginning: some Collection<UInt8>) -> ForeignContent? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let bytes = beginning.starts(with: mark) ? beginning.dropFirst(3) : beginning[...]
    let head = bytes.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }.prefix(16)
    let text = String(decoding: head, as: UTF8.self).lowercased()
    for start in ["<!doctype", "<html", "<head", "<body", "<script", "<!--"]
    where text.hasPrefix(start) {
      return .webPage
    }
    if text.hasPrefix("<?xml") || text.hasPrefix("{\"") { return .text }
    if text.hasPrefix("#extm3u") || text.hasPrefix("[playlist]") { return .addressList }
    return nil
  }

  /// Returns true if more bytes are needed to detect text, after white space or the start of a
  /// text.
  static func isOpen(beginning: some Collection<UInt8>) -> Bool {
    guard beginning.count < byteCount else { return false }
    let head = beginning.drop {
      $0 == 0x20 || (0x09...0x0D).contains($0) || [0xEF, 0xBB, 0xBF].contains($0)
    }
    guard let first = head.first else { return true }
    return "<{#[".utf8.contains(first) && head.count < 16
  }

  /// Returns true if the bytes start a file that cannot be played as a broadcast: FLAC, Ogg, WAVE,
  /// AIFF, MP4 or Matroska.
  static func isFile(beginning: [UInt8]) -> Bool {
    let marks = ["fLaC", "OggS", "RIFF", "RF64", "FORM", "caff", "wvpk", "\u{1A}\u{45}"]
    return marks.contains { beginning.starts(with: $0.utf8) }
      || beginning.dropFirst(4).starts(with: "ftyp".utf8)
  }
}
