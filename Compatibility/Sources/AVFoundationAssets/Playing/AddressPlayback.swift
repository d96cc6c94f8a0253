// SPDX-License-Identifier: Apache-2.0
internal import AVFAudio
internal import AudioProcessing
internal import CoreMedia
internal import SoundStreaming
internal import Synchronization

/// An address, played while it is received.
final class AddressPlayback: ItemPlayback {
  private let player: StreamPlayer
  private let seat: PlayerOutput.Seat

  /// Begins to receive an address; sound waits for `play`.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - report: Receives events, on any thread.
  /// - Throws: The error of an address of another kind, or of the output.
  init(
    _ address: String, report: @escaping @Sendable (PlaybackEvent) -> Void
  ) throws(AVError) {
    let output = PlayerOutput.shared
    do {
      player = try StreamPlayer([.address(address)], rate: output.rate) { event in
        if let event = PlaybackEvent(event) { report(event) }
      }
      let link = try output.join(player.unit)
      seat = link.seat
      try player.unit.follow(link.output, telling: .heard)
      try player.setPaused(true)
    } catch {
      throw AVError.of(error)
    }
    player.start()
  }

  deinit { close() }

  var time: CMTime { CMTime(seconds: player.place.seconds, preferredTimescale: 48_000) }

  var duration: CMTime {
    player.place.duration.map { CMTime(seconds: $0, preferredTimescale: 48_000) } ?? .indefinite
  }

  func play(rate: Float) -> Bool { setPaused(false) }

  func pause() { _ = setPaused(true) }

  private func setPaused(_ isPaused: Bool) -> Bool {
    do {
      try player.setPaused(isPaused)
      return true
    } catch {
      return false
    }
  }

  func seek(to time: CMTime, completion: @escaping @Sendable () -> Void) {
    do {
      try player.go(to: 0, seconds: time.isNumeric ? max(0, time.seconds) : 0)
    } catch {
      // The output has ended; the position stays.
    }
    completion()
  }

  func setVolume(_ volume: Float) { player.unit.set(.gain, to: volume) }

  func close() {
    player.stop()
    player.unit.stopFollowing()
    PlayerOutput.shared.leave(seat)
  }
}

extension PlaybackEvent {
  /// The event of an item; nil for one that does not change its state.
  fileprivate init?(_ event: StreamPlayer.Event) {
    switch event {
    case .opened: self = .ready
    case .playing: self = .waiting(false)
    case .ranDry: self = .waiting(true)
    case .wentOn: self = .waiting(false)
    case .ended: self = .ended
    case .failed(_, let error): self = .failed(AVError.of(error))
    default: return nil
    }
  }
}
