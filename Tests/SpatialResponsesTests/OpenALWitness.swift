// SPDX-License-Identifier: Apache-2.0
import Glibc

/// OpenAL Soft, rendering into memory with its default head responses (`libopenal1` and
/// `libopenal-data`).
@safe
final class OpenALWitness {
  private typealias Pointer = UnsafeMutableRawPointer
  private typealias Open = @convention(c) (UnsafePointer<CChar>?) -> Pointer?
  private typealias Create = @convention(c) (Pointer?, UnsafePointer<Int32>?) -> Pointer?
  private typealias Current = @convention(c) (Pointer?) -> CChar
  private typealias Query =
    @convention(c) (Pointer?, Int32, Int32, UnsafeMutablePointer<Int32>)
    -> Void
  private typealias Make = @convention(c) (Int32, UnsafeMutablePointer<UInt32>) -> Void
  private typealias Fill = @convention(c) (UInt32, Int32, UnsafeRawPointer, Int32, Int32) -> Void
  private typealias Set = @convention(c) (UInt32, Int32, Int32) -> Void
  private typealias Move = @convention(c) (UInt32, Int32, Float, Float, Float) -> Void
  private typealias Tell = @convention(c) (UInt32) -> Void
  private typealias Render = @convention(c) (Pointer?, Pointer, Int32) -> Void
  private typealias Close = @convention(c) (Pointer?) -> CChar
  private typealias Destroy = @convention(c) (Pointer?) -> Void

  private let library: Pointer
  private let device: Pointer
  private let context: Pointer

  /// The file of the responses that it uses at 48 000 Hz.
  static let table = "/usr/share/openal/hrtf/default-48000.mhr"

  /// Opens OpenAL for headphones at 48 000 Hz; nil without the library or these responses.
  init?() {
    guard let library = unsafe dlopen("libopenal.so.1", RTLD_NOW) else { return nil }
    unsafe self.library = library
    guard
      let device = unsafe Self.function("alcLoopbackOpenDeviceSOFT", library, as: Open.self)?(nil)
    else { return nil }
    unsafe self.device = device
    // Stereo, 32-bit floats, 48 000 Hz, with a head, without a limiter.
    let wanted: [Int32] = [
      0x1990, 0x1501, 0x1991, 0x1406, 0x1007, 48_000, 0x1992, 1, 0x199A, 0, 0,
    ]
    let create = unsafe Self.function("alcCreateContext", library, as: Create.self)
    guard let context = unsafe create?(device, wanted) else { return nil }
    unsafe self.context = context
    _ = unsafe Self.function("alcMakeContextCurrent", library, as: Current.self)?(context)
    var status: Int32 = 0
    unsafe Self.function("alcGetIntegerv", library, as: Query.self)?(device, 0x1993, 1, &status)
    guard status == 1 else { return nil }
  }

  deinit {
    _ = unsafe Self.function("alcMakeContextCurrent", library, as: Current.self)?(nil)
    unsafe Self.function("alcDestroyContext", library, as: Destroy.self)?(context)
    _ = unsafe Self.function("alcCloseDevice", library, as: Close.self)?(device)
  }

  private static func function<Function>(
    _ name: String, _ library: Pointer, as type: Function.Type
  ) -> Function? {
    unsafe dlsym(library, name).map { unsafe unsafeBitCast($0, to: type) }
  }

  private func call<Function>(_ name: String, as type: Function.Type) -> Function? {
    unsafe Self.function(name, library, as: type)
  }

  /// The sound of a click at both ears, for a direction in degrees: 256 frames from the click.
  func ears(azimuth: Double, elevation: Double) -> [[Float]] {
    var click = [Float](repeating: 0, count: 2048)
    click[1024] = 1
    var (buffer, source): (UInt32, UInt32) = (0, 0)
    unsafe call("alGenBuffers", as: Make.self)?(1, &buffer)
    unsafe call("alBufferData", as: Fill.self)?(buffer, 0x10010, click, 2048 * 4, 48_000)
    unsafe call("alGenSources", as: Make.self)?(1, &source)
    call("alSourcei", as: Set.self)?(source, 0x1009, Int32(buffer))
    let (across, height) = (azimuth * .pi / 180, elevation * .pi / 180)
    call("alSource3f", as: Move.self)?(
      source, 0x1004, Float(cos(height) * sin(across)), Float(sin(height)),
      Float(-cos(height) * cos(across)))
    call("alSourcePlay", as: Tell.self)?(source)
    var heard = [Float](repeating: 0, count: 2 * 2048)
    unsafe heard.withUnsafeMutableBytes { bytes in
      guard let memory = bytes.baseAddress else { return }
      unsafe call("alcRenderSamplesSOFT", as: Render.self)?(device, memory, 2048)
    }
    call("alSourceStop", as: Tell.self)?(source)
    return (0..<2).map { ear in (1024..<1280).map { heard[2 * $0 + ear] } }
  }
}
