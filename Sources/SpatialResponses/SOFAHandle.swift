// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CMySofa
internal import FileNames
internal import Glibc
internal import MusicalTime

/// Owner of one SOFA file opened by libmysofa.
@safe
struct SOFAHandle: ~Copyable {
  private let table: UnsafePointer<CMySofaTable>
  private let file: OpaquePointer
  private let path: String
  private let rate: SampleRate
  private let tapCount: Int

  /// Opens a file (`mysofa_open`) with its responses converted to a sample rate.
  init(path: String, rate: SampleRate) throws(SOFAError) {
    guard let table = unsafe cmysofa_table() else {
      throw unsafe .libraryMissing(reason: String(cString: cmysofa_missing()))
    }
    var count: Int32 = 0
    var code: Int32 = 0
    let file = path.withSystemPath {
      unsafe table.pointee.open($0, Float(rate.hertz), &count, &code)
    }
    guard let file = unsafe file else {
      throw Self.error(Int(code), path)
    }
    guard (1...16_384).contains(count) else {
      unsafe table.pointee.close(file)
      throw .unsuitable(path: path, code: Int(code))
    }
    unsafe self.table = table
    unsafe self.file = file
    self.path = path
    self.rate = rate
    tapCount = Int(count)
  }

  deinit {
    unsafe table.pointee.close(file)
  }

  private static func error(_ code: Int, _ path: String) -> SOFAError {
    switch code {
    case MYSOFA_INVALID_FORMAT, MYSOFA_READ_ERROR: .notSOFA(path: path)
    case 1..<1000: unsafe .unreadable(path: path, reason: String(cString: strerror(Int32(code))))
    default: .unsuitable(path: path, code: code)
    }
  }

  /// Returns the responses of both ears for a direction in degrees (`mysofa_getfilter_float`).
  func ears(azimuth: Double, elevation: Double) throws(SOFAError) -> EarResponses {
    let (across, height) = (azimuth * .pi / 180, elevation * .pi / 180)
    var left = [Float](repeating: 0, count: tapCount)
    var right = left
    var delays: (left: Float, right: Float) = (0, 0)
    // In SOFA, the y axis points to the left.
    unsafe table.pointee.getfilter_float(
      file, Float(cos(height) * cos(across)), Float(-cos(height) * sin(across)),
      Float(sin(height)), &left, &right, &delays.left, &delays.right)
    let frames = Double(rate.hertz)
    let ears = EarResponses(
      left: left, right: right, leftDelay: Double(delays.left) * frames,
      rightDelay: Double(delays.right) * frames)
    guard Self.isSound(ears) else { throw .notSOFA(path: path) }
    return ears
  }

  /// True if all values are finite and both delays are 0…16 384 frames.
  private static func isSound(_ ears: EarResponses) -> Bool {
    (ears.left + ears.right).allSatisfy(\.isFinite)
      && (0...16_384).contains(ears.leftDelay) && (0...16_384).contains(ears.rightDelay)
  }
}
