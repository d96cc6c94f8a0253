// SPDX-License-Identifier: Apache-2.0
internal import AVFAudio
internal import AudioFiles
internal import ClipPlayback
internal import CoreMedia
internal import MusicalTime

/// A file, played by the core that `AVAudioPlayer` has too.
final class FilePlayback: ItemPlayback {
  private let core: PlayerCore
  private let hertz: Int
  let duration: CMTime

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - facts: Its properties.
  ///   - report: Receives events, on any thread.
  /// - Throws: The error of the file.
  init(
    path: String, _ facts: AssetFacts, report: @escaping @Sendable (PlaybackEvent) -> Void
  ) throws(AVError) {
    core = PlayerCore { isWhole in
      report(isWhole ? .ended : .failed(AVError(.decodeFailed, "\(path): ends too early")))
    }
    (hertz, duration) = (facts.hertz, facts.duration)
    do {
      try core.player.append(path: path)
    } catch ClipError.unreadable(let error) {
      throw AVError(error)
    } catch {
      throw AVError.of(error)
    }
  }

  var time: CMTime {
    core.frame.map { CMTime(value: $0.frames, timescale: CMTimeScale(clamping: hertz)) }
      ?? duration
  }

  func play(rate: Float) -> Bool {
    if rate != 1, !core.canChangeRate {
      // The unit that keeps the pitch is put in place when the player joins the output.
      core.canChangeRate = true
      core.stop()
    }
    core.rate = rate
    return core.play(at: nil)
  }

  func pause() { core.pause() }

  func seek(to time: CMTime, completion: @escaping @Sendable () -> Void) {
    let frame = max(0, time.frame(at: hertz) ?? 0)
    guard let receipt = core.locate(to: SampleTime(frames: frame)) else { return completion() }
    Task.detached {
      do {
        try await receipt.effect()
      } catch {
        // The player has left the output; the position is stored.
      }
      completion()
    }
  }

  func setVolume(_ volume: Float) { core.volume = volume }

  func close() { core.stop() }
}
