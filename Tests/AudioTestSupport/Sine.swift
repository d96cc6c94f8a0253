// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The sine, where a file does not import the C library.
package func sine(_ radians: Double) -> Float { Float(sin(radians)) }
