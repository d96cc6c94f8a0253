// SPDX-License-Identifier: Apache-2.0
import SoundStreaming
import TestSupport
import Testing

@Suite struct TitleParserTests {
  /// A block of a stream: its size in units of 16 bytes, and its padded content.
  static func block(_ bytes: [UInt8]) -> [UInt8] {
    let count = (bytes.count + 15) / 16
    return [UInt8(count)] + bytes + [UInt8](repeating: 0, count: 16 * count - bytes.count)
  }

  static func block(_ text: String) -> [UInt8] { block(Array(text.utf8)) }

  private func title(_ text: String) -> StreamTitle? { StreamTitle(Array(text.utf8)) }

  @Test func `sound and titles are the same for pieces of any size`() {
    let sound = (0..<1_000).map { UInt8($0 % 251) }
    let titles = ["StreamTitle='One';", "", "StreamTitle='Two - b';StreamUrl='http://x/';", ""]
    var bytes: [UInt8] = []
    for (index, start) in stride(from: 0, to: 1_000, by: 100).enumerated() {
      bytes += sound[start..<start + 100] + Self.block(titles[index % 4])
    }
    var random = SplitMix(seed: 3)
    for largest in [1, 3, 50, 117, 5_000] {
      var parser = TitleParser(interval: 100)
      var (heard, told): ([UInt8], [(Int, StreamTitle)]) = ([], [])
      var place = 0
      while place < bytes.count {
        let end = min(bytes.count, place + 1 + Int(random.next() % UInt64(largest)))
        for piece in parser.append(bytes[place..<end]) {
          switch piece {
          case .sound(let part): heard += part
          case .title(let title): told.append((heard.count, title))
          }
        }
        place = end
      }
      #expect(heard == sound)
      #expect(told.map(\.0) == [100, 300, 500, 700, 900])
      #expect(told.map(\.1.title) == ["One", "Two - b", "One", "Two - b", "One"])
      #expect(told[1].1.address == "http://x/" && told[0].1.address == nil)
    }
  }

  @Test func `titles can have quotes, semicolons and either encoding, without control characters`()
  {
    #expect(title("StreamTitle='It's; a 'song'';StreamUrl='';")?.title == "It's; a 'song'")
    #expect(title("StreamTitle='It's; a 'song'';StreamUrl='';")?.address == nil)
    #expect(title("StreamTitle='no end")?.title == "no end")
    #expect(title("StreamTitle='no semicolon'")?.title == "no semicolon")
    #expect(title("StreamTitle='';")?.title == "")
    #expect(title("StreamTitle='a\u{1B}[2Jb\u{9B}';")?.title == "a[2Jb")
    #expect(title("StreamTitle='Björk';")?.title == "Björk")
    let latin = Array("StreamTitle='Bj".utf8) + [0xF6] + Array("rk';".utf8) + [0, 0]
    #expect(StreamTitle(latin)?.title == "Björk")
    #expect(title("StreamUrl='http://x/';") == nil)
    #expect(title("") == nil)
  }

  @Test func `the longest block and the shortest interval are supported`() {
    var parser = TitleParser(interval: 1)
    let long = "StreamTitle='" + String(repeating: "x", count: 4_065) + "';"
    let pieces = parser.append([7] + Self.block(long) + [8, 0, 9])
    #expect(pieces.count == 4 && pieces.first == .sound([7]) && pieces.last == .sound([9]))
    #expect(Self.block(long).first == 255)
    if case .title(let title) = pieces[1] { #expect(title.title.count == 4_065) }
  }
}
