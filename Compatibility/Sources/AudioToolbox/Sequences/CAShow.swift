// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Synchronization

/// Prints the contents of an object, such as the tracks and events of a sequence, on standard
/// output.
///
/// - Parameter inObject: a sequence, track, player or graph; for other objects nothing is printed.
public func CAShow(_ inObject: UnsafeMutableRawPointer?) {
  guard let inObject = unsafe inObject else { return }
  let pointer = OpaquePointer(inObject)
  if let sequence = unsafe HandleTable.shared.object(at: pointer, as: SequenceBox.self) {
    print("sequence with \(sequence.tracks.count) tracks")
    show(sequence.tempoTrack, "tempo track")
    for (index, track) in sequence.tracks.enumerated() { show(track, "track \(index)") }
  } else if let track = unsafe HandleTable.shared.object(at: pointer, as: TrackBox.self) {
    show(track, "track")
  } else if let player = unsafe HandleTable.shared.object(at: pointer, as: PlayerBox.self) {
    print("player at beat \(player.beat), \(player.isPlaying ? "playing" : "stopped")")
  } else if let graph = unsafe GraphObject.find(pointer) {
    let nodes = graph.state.withLock(\.nodes)
    print("graph with \(nodes.count) nodes")
    for node in nodes { print("  \(node.number): \(UnitKind.all[node.component].name)") }
  }
}

private func show(_ track: TrackBox, _ name: String) {
  do {
    let content = try track.content()
    print("\(name): \(content.events.count) events, \(content.length) beats")
    for event in content.events.all {
      print("  \(event.time): type \(event.type), \(event.size) bytes")
    }
  } catch {
    print("\(name): no longer exists")
  }
}
