// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Streams of HTTP Live Streaming, encoded by FFmpeg's program during the test.
struct HLSBytes {
  /// The forms of segments.
  enum Form: String, CaseIterable, Sendable {
    case transport, transportMP3, fragments, packed

    fileprivate var words: [String] {
      switch self {
      case .transport: ["-c:a", "aac", "-hls_segment_type", "mpegts"]
      case .transportMP3: ["-c:a", "libmp3lame", "-hls_segment_type", "mpegts"]
      case .fragments: ["-c:a", "aac", "-hls_segment_type", "fmp4"]
      case .packed: []
      }
    }
  }

  /// The files by their names; `list.m3u8` is the playlist.
  private(set) var files: [String: [UInt8]] = [:]

  /// Encodes a tone in segments of two seconds.
  init(_ form: Form, seconds: Int) throws {
    guard form != .packed else {
      self = try Self.packed(seconds: seconds)
      return
    }
    let folder = try ScratchFolder()
    let words = [
      "-v", "error", "-y", "-f", "lavfi", "-i",
      "sine=frequency=441:sample_rate=44100:duration=\(seconds)", "-af", "volume=8", "-b:a", "96k",
    ]
    let list = [
      "-f", "hls", "-hls_time", "2", "-hls_list_size", "0", "-hls_playlist_type", "vod",
      folder.path("list.m3u8"),
    ]
    let run = try ToolRun(words + form.words + list, command: "/usr/bin/ffmpeg")
    guard run.status == 0 else { throw StreamBytes.Failure(text: run.errors) }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      files[name] = Array(try Data(contentsOf: URL(fileURLWithPath: folder.path(name))))
    }
  }

  private init(files: [String: [UInt8]]) { self.files = files }

  /// Packed audio: ADTS in segments of 86 packets, each after an ID3 tag.
  private static func packed(seconds: Int) throws -> HLSBytes {
    let all = try StreamBytes.tone("aac", seconds: seconds, "-c:a", "aac", "-b:a", "96k")
    var packets: [ArraySlice<UInt8>] = []
    var rest = all[...]
    while rest.count > 7 {
      let start = rest.startIndex
      let size =
        Int(rest[start + 3] & 3) << 11 | Int(rest[start + 4]) << 3 | Int(rest[start + 5] >> 5)
      packets.append(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    var files: [String: [UInt8]] = [:]
    var list = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n"
    for (index, first) in stride(from: 0, to: packets.count, by: 86).enumerated() {
      let part = packets[first..<min(first + 86, packets.count)]
      list += "#EXTINF:\(Double(part.count * 1024) / 44_100),\n\(index).aac\n"
      files["\(index).aac"] = tag(title: "Part \(index / 2)") + part.flatMap { $0 }
    }
    files["list.m3u8"] = Array((list + "#EXT-X-ENDLIST\n").utf8)
    return HLSBytes(files: files)
  }

  /// A tag with one text frame, by ID3 2.4.0.
  private static func tag(title: String) -> [UInt8] {
    let text = [3] + Array(title.utf8)
    let frame = Array("TIT2".utf8) + [0, 0, 0, UInt8(text.count), 0, 0] + text
    return Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
  }

  /// All segments joined, after their initialization.
  var joined: [UInt8] {
    let lines = String(decoding: files["list.m3u8"] ?? [], as: UTF8.self).split(separator: "\n")
    let start = files["init.mp4"] ?? []
    return start + lines.filter { !$0.hasPrefix("#") }.flatMap { files[String($0)] ?? [] }
  }

  /// Serves the files.
  func server(
    _ change: @escaping @Sendable (TestHTTPServer.Request, TestHTTPServer.Connection) -> Bool = {
      _, _ in false
    }
  ) -> TestHTTPServer {
    let files = files
    return TestHTTPServer { request, connection in
      guard !change(request, connection) else { return }
      let name = String(request.target.dropFirst())
      guard let bytes = files[name] else {
        _ = connection.head("404 Not Found", "Content-Length: 0")
        return
      }
      let isList = name.hasSuffix("m3u8")
      connection.sendFile(
        bytes, request, type: isList ? "application/vnd.apple.mpegurl" : "application/octet-stream")
    }
  }
}
