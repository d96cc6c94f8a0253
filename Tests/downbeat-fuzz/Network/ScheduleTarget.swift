// SPDX-License-Identifier: Apache-2.0
import Glibc
import SoundStreaming
import TestSupport

/// Playlists of HTTP Live Streaming with any numbers, names and lines, and schedules of them.
struct ScheduleTarget: FuzzTarget {
  private static let address = "https://user:hidden-word@radio.example/a/b/list.m3u8?key=1"
  private static let lines = [
    "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:6", "#EXT-X-TARGETDURATION:0",
    "#EXT-X-TARGETDURATION:18446744073709551616", "#EXT-X-MEDIA-SEQUENCE:4611686018427387904",
    "#EXT-X-MEDIA-SEQUENCE:0", "#EXT-X-MEDIA-SEQUENCE:-1", "#EXTINF:6.006,Title, and more",
    "#EXTINF:1e308,", "#EXTINF:nan,", "#EXTINF:-1,", "#EXTINF:0", "#EXT-X-DISCONTINUITY",
    "#EXT-X-GAP", "#EXT-X-ENDLIST", "#EXT-X-BYTERANGE:75232@0", "#EXT-X-BYTERANGE:1",
    "#EXT-X-BYTERANGE:9223372036854775807@9223372036854775807",
    "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"", "#EXT-X-KEY:METHOD=NONE",
    "#EXT-X-MAP:URI=\"init.mp4\",BYTERANGE=\"700@0\"", "#EXT-X-MAP:URI=",
    "#EXT-X-START:TIME-OFFSET=-25", "#EXT-X-START:TIME-OFFSET=1e300", "#EXT-X-I-FRAMES-ONLY",
    "#EXT-X-STREAM-INF:BANDWIDTH=1280000,CODECS=\"mp4a.40.2\",AUDIO=\"a\"",
    "#EXT-X-STREAM-INF:BANDWIDTH=99999999999999999999,CODECS=\"avc1.4d,mp4a.40.2\",RESOLUTION=1x1",
    "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"x\",DEFAULT=YES,URI=\"audio.m3u8\"",
    "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"y\"", "# remark", "segment.ts", "../../../x.ts",
    "//host/x", "http://host/x?y=/../z#f", "file:///etc/passwd", "http://", "?q", "a b", "%2e%2e/x",
    "https://user:word@evil.example/x", "javascript:x", "/", "http://[::1]/x",
  ]
  /// Lines without faults.
  private static let usual = [
    "#EXTINF:6.006,Title, and more", "#EXTINF:4,\nsegment.ts", "#EXTINF:2.5,\nhttp://host/x?y#f",
    "#EXTINF:4,\n../x.ts", "#EXT-X-DISCONTINUITY", "#EXT-X-GAP", "#EXT-X-BYTERANGE:75232@0",
    "#EXT-X-MAP:URI=\"init.mp4\",BYTERANGE=\"700@0\"", "# remark", "#EXT-X-KEY:METHOD=NONE",
    "#EXT-X-BYTERANGE:100@7\n#EXTINF:1,\nall.mp4", "#EXT-X-BYTERANGE:5\n#EXTINF:1,\nall.mp4",
  ]
  private let scene: FuzzScene
  private var (media, masters, refused, steps) = (0, 0, 0, 0)

  init(_ scene: FuzzScene) { self.scene = scene }

  var tally: String { "\(media) media, \(masters) master, \(refused) refused, \(steps) steps" }

  mutating func attack(_ random: inout SplitMix) throws {
    let bytes = Self.playlist(&random)
    try scene.keep(bytes)
    do {
      switch try HLSPlaylist(bytes, address: Self.address) {
      case .master(let master):
        masters += 1
        for address in master.soundAddresses { try Self.check(address) }
      case .media(let found):
        media += 1
        try check(found)
        try walk(found, &random)
      }
    } catch let fault as HLSPlaylist.Fault {
      try FuzzFault.unless(!"\(fault)".isEmpty && fault.line >= 0, "an error without a sentence")
      refused += 1
    }
  }

  private static func playlist(_ random: inout SplitMix) -> [UInt8] {
    var text = Int.random(in: 0..<20, using: &random) == 0 ? "" : "#EXTM3U\n"
    let faultPart = [0, 0, 5, 50, 100].randomElement(using: &random) ?? 0
    for _ in 0..<Int.random(in: 0...40, using: &random) {
      let isUsual = Int.random(in: 0..<100, using: &random) >= faultPart
      text += (isUsual ? usual : lines).randomElement(using: &random) ?? ""
      text += Bool.random(using: &random) ? "\n" : "\r\n"
    }
    var bytes = Array(text.utf8)
    if Int.random(in: 0..<3, using: &random) == 0 { Mutation.damage(&bytes, &random) }
    return bytes
  }

  private static func check(_ address: String) throws {
    try FuzzFault.unless(
      address.hasPrefix("http://") || address.hasPrefix("https://"), "the address \(address)")
    try FuzzFault.unless(
      !address.contains("hidden-word")
        || address.hasPrefix("https://user:hidden-word@radio.example/")
        || address.hasPrefix("https://user:hidden-word@radio.example?"),
      "a password in \(address)")
  }

  private func check(_ media: HLSMedia) throws {
    try FuzzFault.unless(
      (1...3600).contains(media.targetSeconds) && media.seconds.isFinite, "durations")
    for segment in media.segments {
      try Self.check(segment.resource.address)
      if let map = segment.map { try Self.check(map.address) }
      let part = segment.resource.part ?? 0..<1
      try FuzzFault.unless(
        part.lowerBound >= 0 && !part.isEmpty && part.upperBound <= 1 << 51 && segment.number >= 0
          && (0...86_400).contains(segment.seconds), "\(segment)")
    }
  }

  /// Plays a schedule, and loads parts of the playlist again.
  private mutating func walk(_ found: HLSMedia, _ random: inout SplitMix) throws {
    let places: [Double?] = [nil, 0, 3, 1e9]
    var schedule = HLSSchedule(from: places.randomElement(using: &random) ?? nil)
    var now = Duration.zero
    schedule.take(found, at: now)
    for _ in 0..<100 {
      steps += 1
      switch schedule.step(at: now) {
      case .segment: schedule.advance(isMissing: Bool.random(using: &random))
      case .end, .stalled: return
      case .reload(let time):
        try FuzzFault.unless(time - now <= .seconds(121), "a load after \(time - now)")
        now = max(now, time) + .milliseconds(1)
        var part = found
        let count = Int.random(in: 0...found.segments.count, using: &random)
        part.segments.removeFirst(count)
        schedule.take(part, at: now)
      }
      try FuzzFault.unless(schedule.leadSeconds >= 0 && schedule.leadSeconds <= 1e9, "a place")
    }
  }
}
