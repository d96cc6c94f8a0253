// SPDX-License-Identifier: Apache-2.0
import AudioProcessing

extension ParameterSet {
  /// Sets parameters at once, by their names.
  func hold(_ values: [String: Float]) {
    for (index, parameter) in parameters.enumerated() {
      guard let value = values[parameter.name] else { continue }
      do { try set(index, to: value, over: 0) } catch { fatalError("\(error)") }
    }
  }
}
