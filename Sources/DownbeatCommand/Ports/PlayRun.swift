// SPDX-License-Identifier: Apache-2.0
internal import Downbeat
internal import Glibc
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime
internal import Realtime

/// A song that plays, from its first sound to its last or to a signal.
struct PlayRun {
  private static let step: Int64 = 20_000_000

  let playback: Playback
  let part: PlaybackPart
  let transform: MessageTransform
  var ports: PlayPorts?
  let signals: SignalWatch
  let wait: SignalWait
  var status: PlayStatus?

  /// Plays to the end; a signal ends the process.
  ///
  /// - Throws: what ended the playback before its time.
  mutating func play() throws {
    defer { status?.clear() }
    var mustStop = true
    defer { if mustStop { end(silencing: true) } }
    while !playback.hasFinished {
      if let failure = playback.failure { throw failure }
      switch wait.until(DeadlineWait.now + Self.step, readable: ports?.descriptors ?? []) {
      case .signal(SIGTSTP): pause()
      case .signal(let number): die(by: number)
      case .readable, .deadline: break
      }
      let tick = playback.position(.scheduled).tick
      try ports?.update(part.sequence, at: tick, through: transform)
      status?.show(playback.position())
    }
    try waitForPorts()
    mustStop = false
    end(silencing: false)
  }

  /// What was handed on is still to leave the kernel's queue.
  private func waitForPorts() throws {
    guard let ports else { return }
    while !ports.drained(until: DeadlineWait.now + Self.step) {
      if let number = signals.signal, number != SIGTSTP { die(by: number) }
    }
  }

  private func die(by number: Int32) -> Never {
    end(silencing: true)
    status?.clear()
    SignalWatch.die(by: number)
  }

  private func end(silencing: Bool) {
    if silencing { ports?.silence() }
    playback.stop(draining: !silencing)
    if silencing { ports?.silence() }
  }

  /// Falls silent and stops; continued, it goes on where it was, in the state of the place.
  private func pause() {
    playback.pause()
    // The event thread takes the command at once, and what it takes back is a horizon at most.
    let limit = DeadlineWait.now + 5 * Self.step
    while playback.isRunning, DeadlineWait.now < limit { usleep(1_000) }
    usleep(10_000)
    ports?.silence()
    signals.pause()
    playback.start()
  }
}
