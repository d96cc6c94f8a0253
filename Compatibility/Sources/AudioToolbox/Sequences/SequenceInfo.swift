// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes
internal import Foundation

/// Returns information about a sequence.
///
/// The dictionary always has the tempo at the start. It has approximate duration, title, copyright,
/// time signature and key signature if the sequence has them.
///
/// - Parameter inSequence: the sequence.
/// - Returns: the dictionary; empty if the sequence is invalid.
public func MusicSequenceGetInfoDictionary(_ inSequence: MusicSequence?) -> CFDictionary {
  do {
    return try unsafe object(inSequence, SequenceBox.self).info() as NSDictionary
  } catch {
    return NSDictionary()
  }
}

extension SequenceBox {
  fileprivate func info() throws(StatusError) -> [String: Any] {
    let map = try beatMap()
    let tempoTrack = try tempoTrack.content()
    var info: [String: Any] = ["tempo": 60 / map.secondsPerBeat(at: 0)]
    var length: MusicTimeStamp = 0
    var metas = tempoTrack.events.all.compactMap(\.meta)
    for track in tracks {
      let content = try track.content()
      length = max(length, content.length)
      metas += content.events.all.compactMap(\.meta)
    }
    if length > 0 { info["approximate duration in seconds"] = map.seconds(atBeat: length) }
    func first(_ type: UInt8) -> [UInt8]? { metas.first { $0.type == type }?.bytes }
    if let title = first(3) { info["title"] = String(decoding: title, as: UTF8.self) }
    if let copyright = first(2) { info["copyright"] = String(decoding: copyright, as: UTF8.self) }
    if let meter = first(0x58), meter.count >= 2, meter[1] < 16 {
      info["time signature"] = "\(meter[0])/\(1 << Int(meter[1]))"
    }
    if let key = first(0x59), key.count == 2, let name = Self.keyName(key) {
      info["key signature"] = name
    }
    return info
  }

  /// The name of a key, such as `Eb major`.
  private static func keyName(_ bytes: [UInt8]) -> String? {
    let fifths = Int(Int8(bitPattern: bytes[0])) + (bytes[1] == 0 ? 0 : 3)
    let names = [
      "Cb", "Gb", "Db", "Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#", "G#",
      "D#", "A#",
    ]
    guard names.indices.contains(fifths + 7) else { return nil }
    return names[fifths + 7] + (bytes[1] == 0 ? " major" : " minor")
  }
}
