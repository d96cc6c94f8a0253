// SPDX-License-Identifier: Apache-2.0
// An engine with a player, whose tap measures the level, as a program for macOS and iOS uses it.
import AVFoundation

final class Meter {
  let engine = AVAudioEngine()
  let player = AVAudioPlayerNode()
  private let lock = NSLock()
  private var peak: Float = 0
  private var frames: AVAudioFramePosition = 0

  init(format: AVAudioFormat) {
    engine.attach(player)
    engine.connect(player, to: engine.mainMixerNode, format: format)
    engine.mainMixerNode.outputVolume = 0.5
    let output = engine.mainMixerNode.outputFormat(forBus: 0)
    engine.mainMixerNode.installTap(onBus: 0, bufferSize: 1024, format: output) {
      [weak self] buffer, time in
      self?.measure(buffer, time)
    }
  }

  private func measure(_ buffer: AVAudioPCMBuffer, _ time: AVAudioTime) {
    guard let channels = buffer.floatChannelData else { return }
    lock.lock()
    defer { lock.unlock() }
    for channel in 0..<Int(buffer.format.channelCount) {
      for frame in 0..<Int(buffer.frameLength) {
        peak = max(peak, abs(channels[channel][frame]))
      }
    }
    frames = time.sampleTime + AVAudioFramePosition(buffer.frameLength)
  }

  /// The peak since the start in dB.
  var level: Float {
    lock.lock()
    defer { lock.unlock() }
    return 20 * log10(max(peak, 1e-8))
  }

  var hasFrames: Bool {
    lock.lock()
    defer { lock.unlock() }
    return frames > 0
  }
}

func tone(_ format: AVAudioFormat, seconds: Double) -> AVAudioPCMBuffer {
  let count = AVAudioFrameCount(seconds * format.sampleRate)
  guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: count) else {
    fatalError("no memory")
  }
  buffer.frameLength = count
  for channel in 0..<Int(format.channelCount) {
    for frame in 0..<Int(count) {
      buffer.floatChannelData?[channel][frame] = sinf(Float(frame) * 0.05) / 2
    }
  }
  return buffer
}

guard let format = AVAudioFormat(standardFormatWithSampleRate: 48000, channels: 2) else {
  fatalError("no format")
}
let meter = Meter(format: format)
let observer = NotificationCenter.default.addObserver(
  forName: .AVAudioEngineConfigurationChange, object: meter.engine, queue: .main
) { _ in print("the device changed", meter.engine.isRunning) }

try meter.engine.start()
print("running", meter.engine.isRunning)
let ended = DispatchSemaphore(value: 0)
meter.player.scheduleBuffer(
  tone(format, seconds: 0.3), completionCallbackType: .dataPlayedBack
) { _ in ended.signal() }
meter.player.play()
print("played", ended.wait(timeout: .now() + 60) == .success)
let limit = Date(timeIntervalSinceNow: 60)
while meter.level < -13, Date() < limit { usleep(10_000) }
meter.engine.mainMixerNode.removeTap(onBus: 0)
print("level", (meter.level * 10).rounded() / 10, meter.hasFrames)
meter.player.stop()
meter.engine.stop()
print("running", meter.engine.isRunning)
NotificationCenter.default.removeObserver(observer)
