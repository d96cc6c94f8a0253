// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import DownbeatCommand
import Foundation
import MusicSequences
import MusicalTime
import SoundStreaming
import TestSupport
import VectorProtocol

/// JSON: lists of events put together of rows, requests for times and saved graphs; and playlists; all
/// damaged.
struct ListTarget: FuzzTarget {
  private static let headers = [
    #"{"type":"header","format":1,"tracks":1,"division":{"ppqn":480}}"#,
    #"{"type":"header","format":0,"tracks":0,"division":{"fps":"25","ticksPerFrame":40}}"#,
    #"{"type":"header","format":2,"tracks":300,"division":{"ppqn":1}}"#,
  ]
  /// What follows the track and the tick of a row.
  private static let events = [
    #""kind":"noteOn","channel":0,"key":60,"velocity":64"#,
    #""kind":"noteOff","channel":15,"key":127,"velocity":0"#,
    #""kind":"control","channel":9,"controller":7,"value":127"#,
    #""kind":"program","channel":1,"program":127"#, #""kind":"bend","channel":0,"bend":16383"#,
    #""kind":"polyPressure","channel":0,"key":1,"pressure":2"#,
    #""kind":"tempo","microsecondsPerQuarter":500000"#, #""kind":"tempo","bytes":"07 a1"#,
    #""kind":"timeSignature","numerator":3,"denominatorPower":255,"clocksPerClick":24"#
      + #","thirtySecondsPerQuarter":8"#,
    #""kind":"keySignature","sharps":-7,"minor":true"#, #""kind":"endOfTrack""#,
    #""kind":"text","text":"a\u00e9\ud83d\ude00\n""#, #""kind":"lyric","bytes":"ff 00""#,
    #""kind":"sysEx","bytes":"7e 7f 09 01 f7""#, #""kind":"packet","bytes":"f7""#,
    #""kind":"unknownMeta","metaType":127,"bytes":"""#, #""kind":"sequenceNumber","number":1"#,
    #""kind":"port","port":3"#, #""kind":"channelPrefix","channel":16"#,
  ]
  private static let numbers = [
    "0", "-1", "1e99", "128", "65536", "9223372036854775807", "9223372036854775808", "0.5",
    "\"1/3\"", "null", "[]", "{}", "-0", "281474976710655", "1e-9", "\"-9223372036854775808\"",
  ]
  private static let pieces = [
    "{", "[", ",", "\"", "\\u", "1e", "-", "0", "null", "\n", "\u{FEFF}",
  ]

  private let scene: FuzzScene
  private let requests: [[UInt8]]
  private var (taken, refused) = (0, 0)

  init(_ scene: FuzzScene) throws {
    self.scene = scene
    let vectors = ToolRun.packageFolder.appendingPathComponent("Tests/Fixtures/time_vectors.json")
    let document = try JSONSerialization.jsonObject(with: Data(contentsOf: vectors))
    let all = (document as? [String: Any])?["vectors"] as? [[String: Any]] ?? []
    requests = try all.map { [UInt8](try JSONSerialization.data(withJSONObject: $0)) }
  }

  var tally: String { "\(taken) taken, \(refused) refused" }

  private static let units = [
    #""kind":"delay","setup":{"channels":2,"longest":1}"#,
    #""kind":"scene","setup":{"sources":4,"longestDelay":1}"#,
    #""kind":"input","setup":{"channels":2,"heldFrames":64}"#,
    #""kind":"mixer","setup":{"strips":[1,2]}"#, #""kind":"splitter","setup":{"outputs":2}"#,
    #""kind":"equaliser","setup":{"bands":["notch"]}"#, #""kind":"inlet""#,
    #""kind":"chorus","setup":{"voices":8},"parameters":{"depth":0.01}"#,
  ]
  private static let lines = [
    "File1=a.mid", "#EXTINF:1e400,x", "a.m3u", "../../b.mid", "file:///c.mid", "\r", "\u{FEFF}",
    "=",
    "[playlist]", "File99999999999999999999=d", "http://[::1]:99999/", "\u{0}", "", "#",
  ]

  private static func graph(_ random: inout SplitMix) -> [UInt8] {
    let units = (0..<Int.random(in: 1...4, using: &random)).map {
      #"{"id":"\#($0)",\#(Self.units.randomElement(using: &random) ?? "")}"#
    }
    return Array(
      (#"{"v":1,"type":"saved-graph","units":[\#(units.joined(separator: ","))],"#
        + #""connections":[{"from":"0","output":0,"to":"1","input":0}],"head":{"unit":"0"}}"#).utf8)
  }

  private mutating func attackOthers(_ random: inout SplitMix) throws {
    let isGraph = Bool.random(using: &random)
    var bytes = isGraph ? Self.graph(&random) : []
    if !isGraph {
      for _ in 0..<Int.random(in: 0...20, using: &random) {
        bytes += Array("\(Self.lines.randomElement(using: &random) ?? "")\n".utf8)
      }
    }
    for _ in 0..<Int.random(in: 1...2, using: &random) { Self.harm(&bytes, &random) }
    try scene.keep(bytes)
    guard isGraph else {
      let form: PlaylistText.Form = Bool.random(using: &random) ? .m3u : .pls
      let count = PlaylistText(bytes, form).reduce(0) { count, _ in count + 1 }
      try FuzzFault.unless(count <= bytes.count, "\(count) entries of \(bytes.count) bytes")
      return taken += 1
    }
    do {
      guard let rate = SampleRate(hertz: 48_000) else { throw FuzzFault(sentence: "no rate") }
      _ = try SavedGraph(bytes).restored(rate: rate)
      taken += 1
    } catch let error as GraphError {
      try FuzzFault.unless(!"\(error)".isEmpty, "an error without a sentence")
      refused += 1
    }
  }

  mutating func attack(_ random: inout SplitMix) throws {
    guard Int.random(in: 0..<3, using: &random) > 0 else { return try attackOthers(&random) }
    let isList = Bool.random(using: &random)
    var bytes = isList ? Self.list(&random) : requests.randomElement(using: &random) ?? []
    for _ in 0..<Int.random(in: 0...2, using: &random) { Self.harm(&bytes, &random) }
    try scene.keep(bytes)
    do {
      if isList {
        let file = try CommandEntry.file(fromJSON: bytes)
        try FuzzFault.unless(
          file.count <= 64 * bytes.count + 1 << 20, "\(file.count) bytes for \(bytes.count)")
        _ = try SMFReader().read(file)
      } else {
        var session = VectorSession()
        let answer = session.answer(bytes)
        try FuzzFault.unless(!answer.contains("\n"), "an answer of several lines")
        if session.refusal != nil {
          refused += 1
          return
        }
      }
      taken += 1
    } catch let fault as FuzzFault {
      throw fault
    } catch {
      try FuzzFault.unless(!"\(error)".isEmpty, "an error without a sentence")
      refused += 1
    }
  }

  private static func list(_ random: inout SplitMix) -> [UInt8] {
    var text = (headers.randomElement(using: &random) ?? "") + "\n"
    var tick = 0
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      tick += [0, 1, 480, 1 << 28, 1 << 47].randomElement(using: &random) ?? 0
      let track = [0, 0, 0, 1, 300].randomElement(using: &random) ?? 0
      let event = events.randomElement(using: &random) ?? ""
      text += #"{"v":1,"type":"event","track":\#(track),"tick":\#(tick),\#(event)}"# + "\n"
    }
    return Array(text.utf8)
  }

  /// Puts another number in the place of one, a piece many times somewhere, or damages bytes.
  private static func harm(_ bytes: inout [UInt8], _ random: inout SplitMix) {
    let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: Mutation.damage(&bytes, &random)
    case 1:
      let piece = Array((pieces.randomElement(using: &random) ?? "").utf8)
      let count = Int.random(in: 1...100, using: &random)
      let place = Int.random(in: 0...bytes.count, using: &random)
      bytes.insert(contentsOf: (0..<count).flatMap { _ in piece }, at: place)
    default:
      let digits = bytes.indices.filter { isDigit(bytes[$0]) }
      guard let start = digits.randomElement(using: &random) else { return }
      let end = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.count
      let number = Array((numbers.randomElement(using: &random) ?? "").utf8)
      bytes.replaceSubrange(start..<end, with: number)
    }
  }
}
