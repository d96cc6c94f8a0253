// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import Glibc

/// How a device takes a sample.
enum SampleFormat: String, CaseIterable {
  // In the order of preference.
  case float32 = "float"
  case integer32 = "32"
  case integer24 = "24 in 4 bytes"
  case packed24 = "24"
  case integer16 = "16"

  var code: snd_pcm_format_t {
    switch self {
    case .float32: SND_PCM_FORMAT_FLOAT
    case .integer32: SND_PCM_FORMAT_S32
    case .integer24: SND_PCM_FORMAT_S24
    case .packed24: SND_PCM_FORMAT_S24_3LE
    case .integer16: SND_PCM_FORMAT_S16
    }
  }

  var byteCount: Int {
    switch self {
    case .float32, .integer32, .integer24: 4
    case .packed24: 3
    case .integer16: 2
    }
  }
}

/// Which way the sound goes.
enum PCMDirection {
  case playback
  case capture
}

/// The owner of an open device.
///
/// It is never waited for without an end: reading and writing do not block, and waiting has a
/// limit.
@safe
struct PCMHandle: ~Copyable {
  /// The name it was opened under.
  let name: String
  /// Which way the sound goes.
  let direction: PCMDirection
  private let pcm: OpaquePointer

  /// Opens a device: `snd_pcm_open`.
  init(_ name: String, _ direction: PCMDirection = .playback) throws(DeviceError) {
    calsa_keep_words()
    _ = Self.takeWords()
    var opened: OpaquePointer?
    let stream = direction == .playback ? SND_PCM_STREAM_PLAYBACK : SND_PCM_STREAM_CAPTURE
    let code = unsafe snd_pcm_open(&opened, name, stream, Int32(SND_PCM_NONBLOCK))
    guard code == 0, let pcm = unsafe opened else { throw Self.openingError(name, code) }
    self.name = name
    self.direction = direction
    unsafe self.pcm = pcm
  }

  deinit {
    unsafe snd_pcm_close(pcm)
  }

  private static func openingError(_ name: String, _ code: Int32) -> DeviceError {
    let words = takeWords()
    let isUsual = ["default", "sysdefault", "hw", "plughw", "front", "dmix"].contains {
      name == $0 || name.hasPrefix("\($0):")
    }
    switch -code {
    case EBUSY: return .busy(name)
    case EACCES, EPERM: return .notPermitted(name)
    case ENOENT, ENODEV, ENXIO, EINVAL:
      if isUsual, !AudioDevice.hasCard { return .noSoundDevice }
      return .noSuchDevice(name, candidates: AudioDevice.candidates)
    default: return .cannotOpen(name, step: "open", code: code, words: words)
    }
  }

  /// What libasound has said since it was last asked, as one line.
  static func takeWords() -> String {
    var words = [CChar](repeating: 0, count: 1024)
    unsafe calsa_take_words(&words, words.count)
    let bytes = words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").joined(separator: "; ")
  }

  /// Hands the device to a step of the setting-up.
  func withPCM<Result>(_ body: (OpaquePointer) throws(DeviceError) -> Result) throws(DeviceError)
    -> Result
  {
    unsafe try body(pcm)
  }
}

extension PCMHandle {
  /// Whether it is ALSA's `null`, which takes everything at once: `snd_pcm_type`.
  var isNull: Bool { unsafe snd_pcm_type(pcm) == SND_PCM_TYPE_NULL }

  /// Writes frames without waiting: `snd_pcm_writei`; returns how many, or a negative error.
  ///
  /// Acceptable on the render thread: one system call on hardware; a plugin may do more.
  func write(_ frames: UnsafeRawPointer, count: Int) -> Int {
    unsafe snd_pcm_writei(pcm, frames, snd_pcm_uframes_t(count))
  }

  /// Reads frames without waiting: `snd_pcm_readi`; returns how many, or a negative error.
  func read(_ frames: UnsafeMutableRawPointer, count: Int) -> Int {
    unsafe snd_pcm_readi(pcm, frames, snd_pcm_uframes_t(count))
  }

  /// Lets a capture begin: `snd_pcm_start`.
  func start() -> Int32 {
    unsafe snd_pcm_start(pcm)
  }

  /// Waits until a period fits, up to some milliseconds: `snd_pcm_wait`.
  ///
  /// Returns 0 when the time is up, or a negative error.
  func wait(milliseconds: Int32) -> Int32 {
    unsafe snd_pcm_wait(pcm, milliseconds)
  }

  /// Makes the device ready again after an xrun or a suspension: `snd_pcm_recover`.
  func recover(from code: Int32) -> Int32 {
    unsafe snd_pcm_recover(pcm, code, 1)
  }

  /// Frames between the one written next and the one that sounds: `snd_pcm_delay`, or 0 where the
  /// device does not know.
  func delay() -> Int {
    var frames: snd_pcm_sframes_t = 0
    return unsafe snd_pcm_delay(pcm, &frames) == 0 ? max(0, frames) : 0
  }

  /// Stops at once and forgets what was written: `snd_pcm_drop`.
  func drop() {
    _ = unsafe snd_pcm_drop(pcm)
  }
}
