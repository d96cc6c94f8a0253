// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import Downbeat
internal import MusicSequences
internal import MusicalTime
internal import Realtime

extension PlayControls {
  /// The number of songs reported before and after this one.
  private static let nearSongs = 100

  /// The current status of the song.
  public var status: PlayStatus {
    var status = PlayStatus(kind: Self.kind)
    let snapshot = playback.snapshot
    let tick = shownTick(snapshot)
    let isRunning = snapshot.isRunning || snapshot.mode == .alone
    state.fill(&status, running: isRunning ? .playing : .waiting)
    status.hasTransport = snapshot.mode == .alone
    status.title = outline.title
    addList(to: &status)
    (status.seconds, status.duration) = (outline.seconds(at: tick), outline.seconds)
    status.tick = tick.value
    status.speed = audibleSpeed(snapshot, at: tick)
    status.transposition = transposition
    let ports = playback.ports.count
    status.muted = channels.muted.indices(ofPorts: ports)
    status.soloed = channels.soloed.indices(ofPorts: ports)
    if first != nil || last != nil {
      status.loop = .init(start: first.map(outline.seconds), end: last.map(outline.seconds))
    }
    status.pass = Int(snapshot.position(at: MonotonicClock.now).pass)
    status.marker = outline.markers.last { $0.tick <= tick }?.name
    status.markers = outline.markers.map {
      .init(seconds: outline.seconds(at: $0.tick), name: $0.name)
    }
    status.key = outline.key(at: tick).map { "\($0)" }
    if let session {
      (status.volume, status.voices) = (volume, session.voiceCount)
      status.level = PlayStatus.decibels(session.level)
    }
    addMusic(to: &status, at: tick, snapshot)
    return status
  }

  /// True after a command that moved to another song of the queue, or that quit the player.
  public var hasEnded: Bool { songs.hasMoved }

  private func addList(to status: inout PlayStatus) {
    let near = max(0, index - Self.nearSongs)..<min(songs.count, index + Self.nearSongs)
    (status.path, status.index, status.count) = (songs[index].path, index, songs.count)
    (status.repetition, status.isShuffled) = (songs.repetition, songs.seed != nil)
    status.list = near.map { .init(index: $0, path: songs[$0].path, title: title(ofSong: $0)) }
  }

  /// The title of a song of the queue: for songs that are not loaded, the title in the playlist, or
  /// else the file name.
  private func title(ofSong index: Int) -> String {
    if index == self.index { return outline.title }
    return songs[index].title.isEmpty ? songs[index].titleOfFile : songs[index].title
  }

  /// Adds bar, tempo and meter, if the division of the song is ticks per quarter note.
  private func addMusic(to status: inout PlayStatus, at tick: Tick, _ snapshot: ClockSnapshot) {
    guard case .ppqn = outline.context.tempoMap.division else { return }
    status.tempo = audibleTempo(snapshot, at: tick)
    do {
      status.bar = try outline.barBeat(at: tick)
      status.meter = "\(try outline.meter(at: tick))"
    } catch {
      // A position without a bar.
    }
  }

  /// The audible position, or that of the last locate if the output still plays the old one.
  private func shownTick(_ snapshot: ClockSnapshot) -> Tick {
    let heard = min(max(snapshot.position(at: MonotonicClock.now).tick, .zero), outline.length)
    let target = here
    let distance = outline.seconds(at: heard) - outline.seconds(at: target)
    return (-0.1...0.5).contains(distance) ? heard : target
  }
}
