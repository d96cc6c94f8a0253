// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SoundStreaming

/// Playlists of HTTP Live Streaming as values.
struct HLSPlaylistTests {
  static let address = "http://radio.example/live/list.m3u8"

  static func media(_ text: String) throws -> HLSMedia {
    guard case .media(let media) = try HLSPlaylist(Array(text.utf8), address: address) else {
      throw HLSPlaylist.Fault(line: 0, reason: "a master playlist")
    }
    return media
  }

  private func master(_ text: String) throws -> HLSMaster {
    guard case .master(let master) = try HLSPlaylist(Array(text.utf8), address: Self.address) else {
      throw HLSPlaylist.Fault(line: 0, reason: "a media playlist")
    }
    return master
  }

  /// RFC 8216, 8.1 and 8.2.
  @Test func `the simple playlists of the standard are read`() throws {
    let media = try Self.media(
      """
      #EXTM3U
      #EXT-X-TARGETDURATION:10
      #EXT-X-VERSION:3
      #EXT-X-MEDIA-SEQUENCE:2680\r
      #EXTINF:9.009,
      http://media.example.com/first.ts
      #EXTINF:9.009,A title, with a comma
      second.ts
      #EXT-X-DISCONTINUITY
      #EXTINF:3.003,
      ../third.ts
      #EXT-X-ENDLIST
      """)
    #expect(media.targetSeconds == 10 && media.isComplete)
    #expect(media.segments.map(\.number) == [2680, 2681, 2682])
    #expect(
      media.segments.map(\.resource.address) == [
        "http://media.example.com/first.ts", "http://radio.example/live/second.ts",
        "http://radio.example/third.ts",
      ])
    #expect(media.segments.map(\.isDiscontinuous) == [false, false, true])
    #expect(abs(media.seconds - 21.021) < 1e-9)
  }

  @Test func `parts, initializations, gaps and encryption are read`() throws {
    let media = try Self.media(
      """
      #EXTM3U
      #EXT-X-TARGETDURATION:4
      #EXT-X-MAP:URI="init.mp4",BYTERANGE="600@20"
      #EXT-X-BYTERANGE:1000@5000
      #EXTINF:4,
      all.mp4
      #EXT-X-BYTERANGE:500
      #EXTINF:4,
      all.mp4
      #EXT-X-GAP
      #EXTINF:4,
      gone.mp4
      #EXT-X-KEY:METHOD=AES-128,URI="key,with=comma",IV=0x1
      #EXTINF:4,
      secret.mp4
      #EXT-X-KEY:METHOD=NONE
      #EXTINF:4,
      open.mp4
      """)
    #expect(media.segments.map(\.resource.part) == [5000..<6000, 6000..<6500, nil, nil, nil])
    #expect(
      media.segments[0].map == .init(address: "http://radio.example/live/init.mp4", part: 20..<620))
    #expect(media.segments.map(\.isGap) == [false, false, true, false, false])
    #expect(media.segments.map(\.encryption) == [nil, nil, nil, "AES-128", nil])
    #expect(!media.isComplete)
  }

  @Test func `the best version with sound only is first`() throws {
    let master = try master(
      """
      #EXTM3U
      #EXT-X-STREAM-INF:BANDWIDTH=4000000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720
      video.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.5"
      low.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=256000,CODECS="mp4a.40.2"
      high.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=900000,CODECS="ec-3"
      surround.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=900000,CODECS="stpp"
      words.m3u8
      """)
    let names = master.soundAddresses.map { $0.replacing("http://radio.example/live/", with: "") }
    #expect(names == ["high.m3u8", "low.m3u8", "video.m3u8", "surround.m3u8"])
  }

  @Test func `separate sound is used instead of video, with the default first`() throws {
    let master = try master(
      """
      #EXTM3U
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="lo",NAME="English",DEFAULT=YES,URI="lo.m3u8"
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="hi",NAME="Commentary",URI="talk.m3u8"
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="hi",NAME="English",DEFAULT=YES,URI="hi.m3u8"
      #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="hi",NAME="English",URI="words.m3u8"
      #EXT-X-STREAM-INF:BANDWIDTH=800000,CODECS="avc1.4d,mp4a.40.2",AUDIO="lo"
      v1.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=2800000,CODECS="avc1.4d,mp4a.40.2",AUDIO="hi"
      v2.m3u8
      """)
    let names = master.soundAddresses.map { $0.replacing("http://radio.example/live/", with: "") }
    #expect(names == ["hi.m3u8", "talk.m3u8", "lo.m3u8"])
  }

  @Test(arguments: [
    ("#EXTINF:4,\na.ts", "line 1: an HLS playlist begins with #EXTM3U"),
    ("#EXTM3U\n#EXTINF:4,\nfile:///etc/passwd", "line 3: names something other than a web address"),
    ("#EXTM3U\n#EXT-X-VERSION:3\n", "it does not contain segments"),
    ("#EXTM3U\n#EXTINF:x,\na.ts", "line 2: 'x': not a duration in seconds"),
    ("#EXTM3U\n#EXT-X-BYTERANGE:9", "x"),
    (
      "#EXTM3U\n#EXT-X-BYTERANGE:9223372036854775807@9223372036854775807",
      "line 2: not a range of bytes"
    ),
    (
      "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:-1",
      "line 2: #EXT-X-MEDIA-SEQUENCE: not a number before the first segment"
    ), ("#EXTM3U\n#EXT-X-I-FRAMES-ONLY", "line 2: pictures without sound"),
    (
      "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nfile:///a",
      "it does not name a stream with a web address"
    ),
  ])
  func `each fault is reported with its line`(text: String, sentence: String) {
    let error = #expect(throws: HLSPlaylist.Fault.self) {
      let text = text.hasSuffix("BYTERANGE:9") ? text + "\n#EXTINF:4,\na.ts" : text
      _ = try HLSPlaylist(Array(text.utf8), address: Self.address)
    }
    let unplaced = "line 4: the range of bytes does not state its start"
    #expect(error?.description == (sentence == "x" ? unplaced : sentence))
  }

  @Test func `a playlist with a million lines is refused, and a long one is read`() throws {
    let entry = "#EXTINF:4,\na.ts\n"
    let long = "#EXTM3U\n" + String(repeating: entry, count: 20_000)
    #expect(try Self.media(long).segments.count == 20_000)
    let error = #expect(throws: HLSPlaylist.Fault.self) {
      _ = try Self.media("#EXTM3U\n" + String(repeating: entry, count: 100_001))
    }
    #expect(error?.reason == "more than 100000 entries")
    let huge = #expect(throws: HLSPlaylist.Fault.self) {
      _ = try Self.media("#EXTM3U\n" + String(repeating: "#\n", count: (4 << 20) + 1))
    }
    #expect(huge?.reason == "it is longer than 8 MiB")
  }
}
