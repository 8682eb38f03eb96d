/** YAML files as trees that know where everything stood, read within limits; nothing here knows what the keys mean. */
package io.ringtap.yaml;
